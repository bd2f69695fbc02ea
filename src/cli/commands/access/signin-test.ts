import { quote } from '../../../base/text.ts'
import { addressFor } from '../../../compose/address.ts'
import { type SigninTest, testSignins } from '../../../compose/signin-test.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { hasFlag, type Run } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { printJson } from '../../output/json.ts'
import { visible } from '../../output/text.ts'
import { loadSettings } from '../../settings/settings.ts'

/** `signin test <id|workspace>` */
export const test: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const named = args.operands[0] ?? ''
  const results = await withExistingStore(settings, store =>
    testSignins(settings, store, { named, publicUrl: addressFor(settings) }),
  )
  if (results.length === 0)
    throw new CommandFailure(
      'signin_unknown',
      `there are no sign-in settings for ${quote(named)}: see \`housestyle signin list\``,
    )
  if (hasFlag(args, 'json')) printJson(io, results)
  else for (const result of results) io.out(textOf(result))
  return results.every(({ problem }) => problem === null) ? 0 : 1
}

function textOf({ id, workspace, issuer, problem, redirectUri, signoutUri, notes }: SigninTest): string {
  const lines = [
    `${id}  ${workspace}  ${visible(issuer)}`,
    problem === null ? '  works' : `  fails: ${visible(problem)}`,
    redirectUri === null ? '' : `  redirect address to register:  ${redirectUri}`,
    signoutUri === null ? '' : `  address after signing out:     ${signoutUri}`,
    ...notes.map(note => `  note: ${note}`),
  ]
  return lines
    .filter(line => line !== '')
    .map(line => `${line}\n`)
    .join('')
}
