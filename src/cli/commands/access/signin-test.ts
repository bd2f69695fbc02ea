import { quote } from '../../../base/text.ts'
import { addressFor } from '../../../compose/address.ts'
import { type SigninTest, testSignins } from '../../../compose/signin-test.ts'
import type { Run } from '../../command.ts'
import { CommandFailure, EXIT } from '../../failure.ts'
import { inStore } from '../../in-store.ts'
import { visible } from '../../output/text.ts'

/** `signin test <id|workspace>` */
export const test: Run = (args, io) =>
  inStore(args, io, async ({ store, settings }) => {
    const named = args.operands[0] ?? ''
    const results = await testSignins(settings, store, { named, publicUrl: addressFor(settings) })
    if (results.length === 0)
      throw new CommandFailure(
        'signin_unknown',
        `there are no sign-in settings for ${quote(named)}: see \`housestyle signin list\``,
      )
    const hasProblem = results.some(({ problem }) => problem !== null)
    return { json: results, text: results.map(textOf).join(''), exitCode: hasProblem ? EXIT.failed : EXIT.done }
  })

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
