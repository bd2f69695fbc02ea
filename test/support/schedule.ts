import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PATIENCE_MS } from './patience.ts'
import { temporaryFolder, writeFolder } from './temporary.ts'

const BIN = fileURLToPath(new URL('../../bin/housestyle.js', import.meta.url))

/**
 * Runs a scheduled shell script on a Sunday, as a container does, with `/backups` in another folder and this data. The
 * first `sleep` ends it. Returns what it printed.
 */
export async function runSchedule(script: string, { data, backups }: { data: string; backups: string }) {
  const programs = await temporaryFolder()
  const shell = (lines: string) => `#!/bin/sh\n${lines}\n`
  await writeFolder(programs, {
    housestyle: shell(`exec "${process.execPath}" "${BIN}" "$@"`),
    date: shell('[ "$1" != +%u ] || { echo 7; exit; }\nPATH=/usr/bin:/bin exec date "$@"'),
    sleep: shell('kill "$PPID"'),
  })
  await promisify(execFile)('chmod', ['+x', ...['housestyle', 'date', 'sleep'].map(name => join(programs, name))])
  const env = { PATH: `${programs}${delimiter}${process.env.PATH}`, HOUSESTYLE_DATA: data }
  const options = { env, timeout: PATIENCE_MS }
  const run = promisify(execFile)('sh', ['-c', script.replaceAll('/backups', backups)], options)
  const { stdout } = await run.catch(error =>
    error.signal === 'SIGTERM' && !error.killed ? error : Promise.reject(error),
  )
  return String(stdout)
}
