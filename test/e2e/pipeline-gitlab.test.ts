import { describePipeline } from "./pipeline-life.ts";

describePipeline("gitlab");
