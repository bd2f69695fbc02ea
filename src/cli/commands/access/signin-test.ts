import { quote } from '../../../base/text.ts'
import { addressFor } from '../../../compose/address.ts'
import { checkSignin, type SigninCheck } from '../../../compose/signin.ts'
import { withExistingStore } from '../../../compose/store.ts'
import type { Settings } from '../../../settings.ts'
import { failureReasons } from '../../../signin/people/issuer-failure.ts'
import { listSignins, type SigninRecord } from '../../../store/access/signins.ts'
import { hasFlag, type Run } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { printJson } from '../../output/json.ts'
import { visible } from '../../output/text.ts'
import { loadSettings } from '../../settings/settings.ts'

/** `signin test <id|workspace>` */
export const test: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const wanted = args.operands[0] ?? ''
  const all = await withExistingStore(settings, store => listSignins(store.database))
  const signins = all.filter(({ id, workspace }) => id === wanted || workspace === wanted)
  if (signins.length === 0)
    throw new CommandFailure(
      'signin_unknown',
      `there are no sign-in settings for ${quote(wanted)}: see \`housestyle signin list\``,
    )
  const results = await Promise.all(signins.map(signin => testOne(signin, settings)))
  if (hasFlag(args, 'json')) printJson(io, results)
  else for (const result of results) io.out(textOf(result))
  return results.every(({ problem }) => problem === null) ? 0 : 1
}

type TestResult = { id: string; workspace: string; issuer: string } & SigninCheck

async function testOne(signin: SigninRecord, settings: Settings): Promise<TestResult> {
  const { id, workspace, issuer } = signin
  try {
    return { id, workspace, issuer, ...(await checkSignin(signin, settings, addressFor(settings))) }
  } catch (error) {
    const problem = failureReasons(error).join(': ')
    return { id, workspace, issuer, problem, redirectUri: null, signoutUri: null, notes: [] }
  }
}

function textOf({ id, workspace, issuer, problem, redirectUri, signoutUri, notes }: TestResult): string {
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
