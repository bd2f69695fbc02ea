import { globSync } from 'node:fs'
import { join } from 'node:path'
import {
  adoptSource,
  readPublicSources,
  readSmallSources,
  readTexts,
  takePublicSource,
  writeSmallSource,
} from './support/adopt-sources.ts'
import type { Bench, Figure } from './support/bench.ts'
import { type Color, foundIn, type Score, scoreOf, sumOf } from './support/color-score.ts'

type Bounds = Record<'found' | 'wrong' | 'missed' | 'invented', number>

/** The figures of today, so that none becomes worse: tighten them with each change that makes one better. */
const SMALL_BOUNDS: Bounds = { found: 1, wrong: 0, missed: 0, invented: 0 }
const PUBLIC_BOUNDS: Bounds = { found: 0.97, wrong: 0, missed: 4, invented: 5 }

/** How many of the colours that sources show `init --from` finds, with all their values. */
export async function* measure({ bin, folder }: Bench): AsyncGenerator<Figure> {
  yield* figuresOf('small sources', await scoreSmallSources(bin, folder), SMALL_BOUNDS)
  const { scores, absent } = scorePublicSources(bin, folder)
  const names = absent.map(name => `\n${INDENT}${name}`)
  const bound = { atMost: scores.size + absent.length }
  yield {
    name: 'absent public sources',
    value: absent.length,
    unit: 'count',
    bound,
    note: `scored: ${scores.size}${names.join('')}`,
  }
  if (scores.size > 0) yield* figuresOf('public sources', scores, PUBLIC_BOUNDS)
}

/** Scores keyed by the name of the source. */
type Scores = ReadonlyMap<string, Score>

async function scoreSmallSources(bin: string, folder: string): Promise<Scores> {
  const scores = new Map<string, Score>()
  for (const source of readSmallSources()) {
    const from = await writeSmallSource(source, join(folder, `small-${scores.size}`))
    scores.set(source.name, scoreOf(source.colors, adoptedColors(bin, from, join(folder, `guide-${scores.size}`))))
  }
  return scores
}

function scorePublicSources(bin: string, folder: string): { scores: Scores; absent: string[] } {
  const scores = new Map<string, Score>()
  const absent: string[] = []
  for (const source of readPublicSources()) {
    const from = join(folder, source.name.replace('/', '+'))
    if (takePublicSource(source, from))
      scores.set(source.name, scoreOf(source.colors, adoptedColors(bin, from, `${from}-guide`)))
    else absent.push(source.name)
  }
  return { scores, absent }
}

/** The colours of the brand folder that `init` makes of a source; none if it finds nothing that a guide can have. */
function adoptedColors(bin: string, from: string, guide: string): Color[] {
  adoptSource(bin, from, guide)
  return globSync('*/styles/colors.yaml', { cwd: guide }).flatMap(file => readTexts(join(guide, file)))
}

/** The figures of all sources together, and a note with a line for each source, worst first. */
function* figuresOf(name: string, scores: Scores, bounds: Bounds): Generator<Figure> {
  const { shown, wrong, missed, invented } = sumOf([...scores.values()])
  const found = foundIn({ shown, wrong, missed, invented })
  const worstFirst = [...scores].sort(([, a], [, b]) => faultsOf(b).length - faultsOf(a).length)
  const lines = worstFirst.map(([source, score]) => `\n${lineOf(source, score)}`)
  const note = `${found} of ${shown.length}; missed −, wrong value ≠, invented +${lines.join('')}`
  const share = { value: found / shown.length, unit: 'ratio', bound: { atLeast: bounds.found }, note } as const
  yield { name: `colours found ÷ shown, ${name}`, ...share }
  yield { name: `colours with a wrong value, ${name}`, ...countOf(wrong, bounds.wrong) }
  yield { name: `colours missed, ${name}`, ...countOf(missed, bounds.missed) }
  yield { name: `colours invented, ${name}`, ...countOf(invented, bounds.invented) }
}

function countOf(colors: readonly Color[], atMost: number): Omit<Figure, 'name'> {
  return { value: colors.length, unit: 'count', bound: { atMost } }
}

function lineOf(source: string, score: Score): string {
  const { shown, wrong, missed, invented } = score
  const counts = `${foundIn(score)} of ${shown.length} found, ${wrong.length} wrong, ${missed.length} missed, ${invented.length} invented`
  return `${INDENT}${counts.padEnd(50)}${[source, ...faultsOf(score)].join(', ')}`
}

const INDENT = ' '.repeat(9)

function faultsOf({ wrong, missed, invented }: Score): string[] {
  const marked = (mark: string, colors: readonly Color[]) => colors.map(({ name }) => `${mark}${name}`)
  return [...marked('−', missed), ...marked('≠', wrong), ...marked('+', invented)]
}
