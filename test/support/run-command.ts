import { housestyle } from '../program/cli/housestyle.ts'

/** The exit code and the output of a command. */
export type Ran = { exitCode: number | null; out: string; err: string }

/** Runs a command in this process with a working folder; its store is the data folder in it by default. */
export async function runCommand(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const env = { HOUSESTYLE_DATA: '.data', HOUSESTYLE_LOG: 'silent', ...environment }
  const { status, stdout, stderr } = await housestyle(args, { cwd: folder, env })
  return { exitCode: status, out: stdout, err: stderr }
}

/** Runs a command with `--json` and returns its result. Throws if it fails. */
export async function resultOf(
  folder: string,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
) {
  const { exitCode, out, err } = await runCommand(folder, [...args, '--json'], environment)
  if (exitCode !== 0) throw new Error(`housestyle ${args.join(' ')} exits with ${exitCode}: ${err}`)
  return JSON.parse(out)
}
