import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { adoptSource, readGuides, takePublicSource } from './support/adopt-sources.ts'
import { readAdoptedGuide } from './support/adopted-guide.ts'
import type { Bench, Figure } from './support/bench.ts'
import { type GuideFacts, type GuideScore, MEASURES, type Share, scoreGuide } from './support/guide-score.ts'

type Shares = Record<keyof GuideScore, number>

/** The figures of today, so that none becomes worse: tighten them with each change that makes one better. */
const USED_BOUNDS: Shares = {
  pages: 0.53,
  menu: 0.46,
  home: 0.75,
  language: 0.94,
  logo: 0.66,
  words: 0.75,
  // Four of the five guides that lack most of their words.
  warning: 0.8,
}
const FRESH_BOUNDS: Shares = {
  pages: 0.86,
  menu: 0.74,
  home: 0.67,
  language: 0.94,
  logo: 0.51,
  words: 0.91,
  warning: 1,
}

/** The share of pages, words and other facts of public guides that `init --from` keeps. */
export async function* measure({ bin, folder }: Bench): AsyncGenerator<Figure> {
  const absent: string[] = []
  const scores = { used: new Map<string, GuideScore>(), fresh: new Map<string, GuideScore>() }
  for (const guide of readGuides()) {
    const from = join(folder, guide.name.replace('/', '+'))
    const group = guide.fresh === undefined ? scores.used : scores.fresh
    if (takePublicSource(guide, from)) group.set(guide.name, adoptAndScore(bin, guide, from))
    else absent.push(guide.name)
  }
  const bound = { atMost: scores.used.size + scores.fresh.size + absent.length }
  yield { name: 'absent public guides', value: absent.length, unit: 'count', bound, note: absent.join(', ') }
  yield* figuresOf('used guides', scores.used, USED_BOUNDS)
  yield* figuresOf('fresh guides', scores.fresh, FRESH_BOUNDS)
}

function adoptAndScore(bin: string, facts: GuideFacts, from: string): GuideScore {
  const guide = `${from}-guide`
  const isWarned = warns(adoptSource(bin, from, guide))
  const logos = (facts.logo ?? []).map(file => readFileSync(join(from, file)))
  return scoreGuide(facts, logos, { ...readAdoptedGuide(guide), isWarned })
}

/** Whether one of the first lines says that words were left out, or nothing is written. */
function warns(first: readonly string[]): boolean {
  return first.length === 0 || first.slice(0, 3).includes('words')
}

/** A figure for each property of all guides together; the first has a line for each guide with its missed facts. */
function* figuresOf(name: string, scores: ReadonlyMap<string, GuideScore>, bounds: Shares): Generator<Figure> {
  if (scores.size === 0) return
  let lines = [...scores].map(([guide, score]) => `\n${lineOf(guide, score)}`)
  for (const key of MEASURES) {
    const all = [...scores.values()].map(score => score[key])
    const { shown, found } = countsOf({
      shown: all.flatMap(share => share.shown),
      missed: all.flatMap(share => share.missed),
    })
    const bound = { atLeast: bounds[key] }
    yield {
      name: `${key}, ${name}`,
      value: 1 - (shown - found) / Math.max(shown, 1),
      unit: 'ratio',
      bound,
      note: `${found} of ${shown}${lines.join('')}`,
    }
    lines = []
  }
}

function lineOf(guide: string, score: GuideScore): string {
  const counts = MEASURES.map(key => {
    const { shown, found } = countsOf(score[key])
    return `${key} ${found}/${shown}`.padEnd(key.length + 7)
  })
  const missed = new Set(MEASURES.flatMap(key => score[key].missed))
  return `${' '.repeat(9)}${counts.join('')}${[guide, ...missed].join(', −')}`
}

function countsOf({ shown, missed }: Share): { shown: number; found: number } {
  return { shown: shown.length, found: shown.length - missed.length }
}
