import {
  type Connection,
  MessageType,
  type Diagnostic as ProtocolDiagnostic,
  ShowMessageNotification,
  type TextDocuments,
} from "vscode-languageserver/node.js";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Diagnostic } from "../model/diagnostic.ts";
import { groupBy } from "../model/group-by.ts";
import { mainFile } from "../workspace/workspace.ts";
import type { EditorFolder } from "./editor-folder.ts";
import type { OpenProjects } from "./open-projects.ts";
import { documentFrom, protocolDiagnostic } from "./to-protocol.ts";

/** Typing is over after so many milliseconds without a key. */
const pauseMs = 50;

/** The state of one project's check. */
interface Checking {
  /** Counts the changes: the result of a check that a change overtook is dropped. */
  changes: number;
  timer?: NodeJS.Timeout;
  isRunning: boolean;
  /** Files that have problems at the editor. */
  shown: ReadonlySet<string>;
}

/** The editor at the other end, with the files that it has open and their projects. */
export interface Editor {
  readonly connection: Connection;
  readonly documents: TextDocuments<TextDocument>;
  readonly projects: OpenProjects;
  /** The editor asks before it makes a change that is marked so. */
  mayAsk: boolean;
}

/** Checks projects once typing pauses, one check of each at a time, and shows their problems in the editor. */
export class ShownProblems {
  private readonly editor: Editor;
  private readonly states = new Map<string, Checking>();
  private readonly byUri = new Map<string, readonly ProtocolDiagnostic[]>();
  private readonly told = new Set<string>();
  constructor(editor: Editor) {
    this.editor = editor;
  }

  /** The problems that the editor shows for a file. */
  of(uri: string): readonly ProtocolDiagnostic[] {
    return this.byUri.get(uri) ?? [];
  }

  async changed(uri: string): Promise<void> {
    const found = await this.editor.projects.find(uri);
    if (found === undefined) return;
    await this.tellProgram(found.folder);
    this.schedule(found.folder);
  }

  /** Files were made, written or deleted outside of the editor. */
  changedOutside(): void {
    const { projects } = this.editor;
    projects.invalidate();
    for (const folder of projects.folders()) this.schedule(folder);
  }

  async closed(uri: string): Promise<void> {
    const { projects } = this.editor;
    const found = await projects.find(uri);
    projects.release();
    if (found === undefined) return;
    const { folder } = found;
    if (projects.folders().includes(folder)) return this.schedule(folder);
    const state = this.states.get(folder.root);
    clearTimeout(state?.timer);
    this.states.delete(folder.root);
    if (state) await this.show(folder, [], state);
  }

  private schedule(folder: EditorFolder): void {
    const state = this.states.get(folder.root) ?? { changes: 0, isRunning: false, shown: new Set<string>() };
    this.states.set(folder.root, state);
    state.changes++;
    folder.invalidate();
    clearTimeout(state.timer);
    state.timer = setTimeout(() => void this.run(folder, state), pauseMs);
  }

  private async run(folder: EditorFolder, state: Checking): Promise<void> {
    if (state.isRunning) return;
    state.isRunning = true;
    try {
      for (let seen = -1; seen !== state.changes; ) {
        seen = state.changes;
        const found = (await folder.isProgram()) ? [] : await folder.check();
        const isCurrent = seen === state.changes && this.states.get(folder.root) === state;
        if (isCurrent) await this.show(folder, found, state);
      }
    } catch (thrown) {
      this.editor.connection.console.error(`the project in ${folder.root} could not be checked: ${String(thrown)}`);
    } finally {
      state.isRunning = false;
    }
  }

  private async show(folder: EditorFolder, found: readonly Diagnostic[], state: Checking): Promise<void> {
    const { documents, projects } = this.editor;
    const byFile = groupBy(found, ({ file }) => file ?? mainFile);
    const before = state.shown;
    state.shown = new Set(byFile.keys());
    for (const [file, problems] of byFile) {
      const uri = projects.uriOf(folder, file);
      const document = documents.get(uri) ?? documentFrom(uri, await folder.text(file).catch(() => ""));
      await this.publish(
        uri,
        problems.map((each) => protocolDiagnostic(each, document, (other) => projects.uriOf(folder, other))),
      );
    }
    for (const file of before) if (!byFile.has(file)) await this.publish(projects.uriOf(folder, file), []);
  }

  private async publish(uri: string, diagnostics: readonly ProtocolDiagnostic[]): Promise<void> {
    if (diagnostics.length === 0) this.byUri.delete(uri);
    else this.byUri.set(uri, diagnostics);
    await this.editor.connection.sendDiagnostics({ uri, diagnostics: [...diagnostics] });
  }

  private async tellProgram(folder: EditorFolder): Promise<void> {
    if (this.told.has(folder.root) || !(await folder.isProgram())) return;
    this.told.add(folder.root);
    const words = `The project in ${folder.root} is a program. loadform does not run it for an editor, so its problems are not shown here: run loadform validate`;
    // A request would need an answer, which not every editor gives.
    await this.editor.connection.sendNotification(ShowMessageNotification.type, {
      type: MessageType.Info,
      message: words,
    });
  }
}
