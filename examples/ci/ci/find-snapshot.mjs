// Finds the run of main whose artifact is the newest snapshot, and prints its id as run=ID.
// Whoever opens a pull request can upload an artifact of the same name, so only those of main of this repository count.
const { env, stdout, stderr } = process;

try {
  const url = `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}/actions/artifacts?name=snapshot&per_page=100`;
  const headers = { authorization: `Bearer ${env.GITHUB_TOKEN}`, accept: "application/vnd.github+json" };
  const isOfMain = ({ head_branch, head_repository_id, repository_id }) =>
    head_branch === "main" && head_repository_id === repository_id;
  const found = [];
  for (let page = 1, total = 1; (page - 1) * 100 < total; page += 1) {
    const response = await fetch(`${url}&page=${page}`, { headers });
    if (!response.ok) throw new Error(`GET ${url} was answered with ${response.status}: ${await response.text()}`);
    const { total_count, artifacts } = await response.json();
    total = total_count;
    found.push(...artifacts.filter(({ expired, workflow_run }) => !expired && isOfMain(workflow_run)));
  }
  const [newest] = found.sort((left, right) => right.created_at.localeCompare(left.created_at));
  if (newest === undefined)
    throw new Error("main has no snapshot that has not expired. Run the job apply of main once more");
  stdout.write(`run=${newest.workflow_run.id}\n`);
} catch (problem) {
  stderr.write(`find-snapshot.mjs: ${problem.message}\n`);
  process.exitCode = 1;
}
