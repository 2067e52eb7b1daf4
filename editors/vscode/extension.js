const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** One client for each folder of the workspace, so that each folder's own loadform serves it. */
const clients = new Map();

async function start(folder) {
  const [command, ...args] = workspace.getConfiguration("loadform", folder.uri).get("command");
  const pattern = `${folder.uri.fsPath}/**/*.{yaml,yml}`;
  const client = new LanguageClient(
    "loadform",
    "loadform",
    { command, args, options: { cwd: folder.uri.fsPath, shell: process.platform === "win32" } },
    {
      documentSelector: [{ scheme: "file", language: "yaml", pattern }],
      workspaceFolder: folder,
      synchronize: { fileEvents: workspace.createFileSystemWatcher(pattern) },
    },
  );
  clients.set(folder.uri.toString(), client);
  await client.start();
}

async function stop(folder) {
  const client = clients.get(folder.uri.toString());
  clients.delete(folder.uri.toString());
  await client?.stop();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    workspace.onDidChangeWorkspaceFolders(({ added, removed }) =>
      Promise.all([...added.map(start), ...removed.map(stop)]),
    ),
  );
  await Promise.all((workspace.workspaceFolders ?? []).map(start));
};

exports.deactivate = () => Promise.all([...clients.values()].map((client) => client.stop()));
