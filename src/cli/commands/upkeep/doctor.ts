import { keyProblems } from '../../../access/keys/key-problems.ts'
import { pluralize } from '../../../base/text.ts'
import { withExistingStore } from '../../../compose/store.ts'
import type { Settings } from '../../../settings.ts'
import { examineFolder, examineStore } from '../../../upkeep/doctor.ts'
import { openingProblem, type Problem, unreachable } from '../../../upkeep/problem.ts'
import { type Arguments, hasFlag, type Run } from '../../command.ts'
import { EXIT } from '../../failure-codes.ts'
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
  else printProblems(problems, args, io)
  return problems.every(isWarning) ? EXIT.done : EXIT.failed
}

async function storeProblems(settings: Settings, args: Arguments, io: Io): Promise<Problem[]> {
  const progress = openProgress(io)
  try {
    return await withExistingStore(settings, async store => [
      ...(await keyProblems(store.database, settings.keySecret)),
      ...(await examineStore(store, {
        now: store.clock.date,
        signal: io.signal,
        waiting: printWaiting(args, io),
        progress: (done, total) => progress.show({ project: 'objects and files', done, total }),
      })),
    ])
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
    // Sixteen names are likely to reach all nodes of a cluster.
    await Promise.all(Array.from({ length: limit.isCluster ? 16 : 1 }, (_, name) => limit.probe(`${name}`)))
    return []
  } catch (error) {
    return [
      unreachable('the limit server', error, 'start it, or see --limits; until then each process counts separately'),
    ]
  } finally {
    limit.close()
  }
}

function printProblems(problems: readonly Problem[], args: Arguments, io: Io): void {
  for (const problem of problems) {
    const { check, subject, message, fix } = problem
    const heading = paint(io.hasColor.out, isWarning(problem) ? 'yellow' : 'red', check)
    io.out(`${heading}  ${visible(subject)} ${visible(message)}\n    → ${args.completeCommands(visible(fix))}\n`)
  }
  const warnings = problems.filter(isWarning).length
  const counts = [
    ...(problems.length > warnings ? [pluralize(problems.length - warnings, 'problem')] : []),
    ...(warnings > 0 ? [pluralize(warnings, 'warning')] : []),
  ]
  if (counts.length > 0) io.err(`${counts.join(' and ')}\n`)
  else io.out('no problems\n')
}

function isWarning({ severity }: Problem): boolean {
  return severity === 'warning'
}
