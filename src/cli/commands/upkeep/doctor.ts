import { pluralize } from '../../../base/text.ts'
import { withKnownStore } from '../../../compose/store.ts'
import type { Settings } from '../../../settings.ts'
import { examineFolder, examineStore } from '../../../upkeep/doctor.ts'
import { openingProblem, type Problem, unreachable } from '../../../upkeep/problem.ts'
import { type Arguments, hasFlag, type Run } from '../../command.ts'
import type { Io } from '../../io.ts'
import { printJson } from '../../output/json.ts'
import { openProgress, printWaiting } from '../../output/progress.ts'
import { paint, visible } from '../../output/text.ts'
import { loadSettings } from '../../settings/settings.ts'

/** `doctor` */
export const run: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const problems = [
    ...(await examineFolder(settings.data)),
    ...(await storeProblems(settings, args, io)),
    ...(await limitProblems(settings)),
  ]
  if (hasFlag(args, 'json')) printJson(io, problems)
  else printProblems(problems, io)
  return problems.length === 0 ? 0 : 1
}

async function storeProblems(settings: Settings, args: Arguments, io: Io): Promise<Problem[]> {
  const progress = openProgress(io)
  try {
    return await withKnownStore(settings, store =>
      examineStore(store, {
        now: store.clock.date,
        signal: io.signal,
        waiting: printWaiting(args, io),
        progress: (done, total) => progress.show({ project: 'objects and files', done, total }),
      }),
    )
  } catch (error) {
    io.signal.throwIfAborted()
    return [openingProblem(error)]
  } finally {
    progress.clear()
  }
}

async function limitProblems({ rate, limits }: Settings): Promise<Problem[]> {
  if (!rate || !limits) return []
  const { openRedisLimit } = await import('../../../access/limit/limit-redis.ts')
  const limit = await openRedisLimit(rate, limits)
  try {
    await Promise.all(Array.from({ length: limit.parts }, (_, part) => limit.probe(part)))
    return []
  } catch (error) {
    return [
      unreachable('the server of the limit', error, 'start it, or see --limits; until then each process counts alone'),
    ]
  } finally {
    limit.close()
  }
}

function printProblems(problems: readonly Problem[], io: Io): void {
  for (const { check, subject, message, fix } of problems)
    io.out(`${paint(io.hasColor.out, 'red', check)}  ${visible(subject)} ${visible(message)}\n    → ${visible(fix)}\n`)
  if (problems.length > 0) io.err(`${pluralize(problems.length, 'problem')}\n`)
  else io.out('nothing is wrong\n')
}
