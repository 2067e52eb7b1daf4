// merge: whole pipelines, as their files say
import { describePipeline } from "./pipeline-life.ts";

describePipeline("github");
