import { run } from '../../src/cli/run.ts'

/** How a command ended and what it wrote. */
export type Ran = { exitCode: number; out: string; err: string }

/** Runs a command in this process, with this working folder; its store is the data folder in it unless said otherwise. */
export async function runCommand(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const written = { out: '', err: '' }
  const exitCode = await run(args, {
    out: text => {
      written.out += text
    },
    outBytes: async bytes => {
      written.out += new TextDecoder().decode(bytes)
    },
    err: text => {
      written.err += text
    },
    hasColor: { out: false, err: false },
    nodeVersion: process.versions.node,
    isTerminal: false,
    columns: 100,
    folder,
    environment: { HOUSESTYLE_DATA: '.data', HOUSESTYLE_LOG: 'silent', ...environment },
    signal: new AbortController().signal,
  })
  return { exitCode, ...written }
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
