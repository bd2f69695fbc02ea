import { basename, dirname, relative } from 'node:path'
import { shellWord } from '../base/text.ts'

/** The start of the command line that ran this program: `housestyle` if it is installed, `npx housestyle` in a checkout. */
export function programName(
  script: string | undefined,
  { folder, environment }: { folder: () => string; environment: Readonly<Partial<Record<string, string>>> },
): string {
  if (environment.npm_command !== undefined) return 'npx housestyle'
  if (script === undefined || basename(script) !== 'housestyle.js') return 'housestyle'
  const checkout = dirname(dirname(script))
  return /^\.\.(?:$|[\\/])/.test(relative(checkout, folder())) ? `node ${shellWord(script)}` : 'npx housestyle'
}
