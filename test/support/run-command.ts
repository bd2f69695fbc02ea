import { housestyle } from '../cli/housestyle.ts'

/** How a command ended and what it wrote. */
export type Ran = { exitCode: number | null; out: string; err: string }

/** Runs a command in this process, with this working folder; its store is the data folder in it unless said otherwise. */
export async function runCommand(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const env = { HOUSESTYLE_DATA: '.data', HOUSESTYLE_LOG: 'silent', ...environment }
  const { status, stdout, stderr } = await housestyle(args, { cwd: folder, env })
  return { exitCode: status, out: stdout, err: stderr }
}

/** Runs a command that must be done, with `--json`, and gives its value. */
export async function resultOf(
  folder: string,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
) {
  const { exitCode, out, err } = await runCommand(folder, [...args, '--json'], environment)
  if (exitCode !== 0) throw new Error(`housestyle ${args.join(' ')} exits with ${exitCode}: ${err}`)
  return JSON.parse(out)
}
