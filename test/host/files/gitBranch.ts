/** A branch with many files, made without writing them one by one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Makes a repository in a folder: the branch `none` is empty, the other has so many files in `many/`. */
export async function importBranch(folder: string, branch: string, count: number): Promise<void> {
  await git(folder, ['init', '--quiet', '--initial-branch=none']);
  const who = 'committer Test <test@example.com> 0 +0000\ndata 0\n';
  const files = Array.from(
    { length: count },
    (_, index) => `M 100644 :1 many/${index % 500}/file-${index}.ts\n`,
  ).join('');
  const start = `blob\nmark :1\ndata 1\nx\ncommit refs/heads/none\nmark :2\n${who}\n`;
  await git(
    folder,
    ['fast-import', '--quiet'],
    `${start}commit refs/heads/${branch}\n${who}from :2\n${files}\n`,
  );
  await checkOut(folder, 'none');
}

export const checkOut = (folder: string, branch: string): Promise<void> =>
  git(folder, ['checkout', '--quiet', branch]);

async function git(cwd: string, args: string[], input?: string): Promise<void> {
  // Without input no pipe: a write to one that git has closed by then is an error.
  const child = spawn('git', args, { cwd, stdio: [input ? 'pipe' : 'ignore', 'ignore', 'inherit'] });
  child.stdin?.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`git ${args[0]} ended with ${code}`);
}
