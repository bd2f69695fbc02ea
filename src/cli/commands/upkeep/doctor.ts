import { keyProblems } from '../../../access/keys/signing.ts'
import { pluralize } from '../../../base/text.ts'
import { withExistingStore } from '../../../compose/store.ts'
import type { Settings } from '../../../settings.ts'
import { examineFolder, examineStore } from '../../../upkeep/doctor.ts'
import { openingProblem, type Problem, unreachable } from '../../../upkeep/problem.ts'
import type { Arguments, Run } from '../../command.ts'
import { EXIT } from '../../failure.ts'
import type { Io } from '../../io.ts'
import { withStoreWork } from '../../output/progress.ts'
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
  return {
    json: problems,
    text: problems.map(problem => problemText(problem, args, io)).join('') || 'no problems\n',
    note: countsOf(problems),
    exitCode: problems.every(isWarning) ? EXIT.done : EXIT.failed,
  }
}

async function storeProblems(settings: Settings, args: Arguments, io: Io): Promise<Problem[]> {
  try {
    return await withStoreWork(args, io, 'objects and files', options =>
      withExistingStore(settings, async store => [
        ...(await keyProblems(store.database, settings.keySecret)),
        ...(await examineStore(store, { ...options, now: store.clock.date })),
      ]),
    )
  } catch (error) {
    io.signal.throwIfAborted()
    return [openingProblem(error)]
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

function problemText(problem: Problem, args: Arguments, io: Io): string {
  const { check, subject, message, fix } = problem
  const heading = paint(io.hasColor.out, isWarning(problem) ? 'yellow' : 'red', check)
  return `${heading}  ${visible(subject)} ${visible(message)}\n    → ${args.completeCommands(visible(fix))}\n`
}

function countsOf(problems: readonly Problem[]): string | undefined {
  const warnings = problems.filter(isWarning).length
  const counts = [
    problems.length > warnings && pluralize(problems.length - warnings, 'problem'),
    warnings > 0 && pluralize(warnings, 'warning'),
  ].filter(Boolean)
  return counts.length > 0 ? `${counts.join(' and ')}\n` : undefined
}

function isWarning({ severity }: Problem): boolean {
  return severity === 'warning'
}
