import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { Worker } from 'node:worker_threads'
import { stepCounter } from './house/pattern-steps.ts'
import { type Attack, type Pattern, patternsIn } from './house/patterns.ts'

/** The modules whose patterns read what people, guides and other servers send. */
const READING = /^src\/\w+\//

/** Patterns that may take more steps than their text is long, with what limits the text. */
const BOUNDED: readonly { path: string; why: string; patterns: readonly RegExp[] }[] = [
  {
    path: 'src/brand/styles/notation.ts',
    why: 'the first 100 characters of the name of a column',
    patterns: [
      /^(?:valores|wartosci|codigo|kolor|screen|bildschirm|print|druck|process|lack)+|(?:values?|codes?|numbers?|no|nr|werte?|print|druck|screen|colou?r|farbe|ton|k7|fogra\d*|coated)+$/g,
    ],
  },
  {
    path: 'src/adopt/documents/adopt-process.ts',
    why: 'the first 2,048 bytes of a page',
    patterns: [/<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i],
  },
  {
    path: 'src/adopt/pages/foreign-syntax.ts',
    why: 'at most 500 characters before a definition',
    patterns: [/(?<![^\n])([\p{L}\p{N}`"([][^*\n]*?)[ \t]*\n(?:[ \t]*\n)?[ \t]*$/u],
  },
  {
    path: 'src/brand/format-folders.ts',
    why: 'the name of a folder, which has at most 255 bytes',
    patterns: [/^(.*?)[^\p{L}\p{M}\p{N}]*([\p{L}\p{M}\p{N}]+)[^\p{L}\p{M}\p{N}]*$/u],
  },
  {
    path: 'src/intake/markdown/lost-syntax-problems.ts',
    why: 'an address of at most 1,000 characters',
    patterns: [/\.\w{2,5}(?:#\S*)?$/],
  },
  {
    path: 'src/publishing/git/program/git-problem.ts',
    why: 'the first 1,000 characters of a line',
    patterns: [
      /^(?!remote:).*(?:Read-only file system|(?:cannot|unable to|could not|failed to) (?!read).*Permission denied)/i,
      /^Load key .*": (.+)$/,
    ],
  },
  {
    path: 'src/serving/access/token/compact-token.ts',
    why: 'JSON, in which each string ends',
    patterns: [/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g],
  },
  {
    path: 'src/serving/usage.ts',
    why: 'at most 200 characters of a search',
    patterns: [
      /\b(?:union\s+(?:all\s+)?select|select\s.*\bfrom\b|insert\s+into|drop\s+table|waitfor\s+delay|order\s+by\s+\d)/i,
    ],
  },
  {
    path: 'src/site/assets.ts',
    why: 'style sheets and scripts of this program',
    patterns: [/\s*([{};,]|>=?)\s*/g, /^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)$/gm],
  },
  {
    path: 'src/site/book/make-book.ts',
    why: 'a PDF by Chromium, in which each object ends',
    patterns: [/(?:^|\n)(\d+) 0 obj\s([\s\S]*?)(?:\nstream|\nendobj)/g],
  },
  {
    path: 'src/site/guide/dominant-colors.ts',
    why: 'a page by this program, in which each tag ends, has each attribute once and no quotation mark in a value',
    patterns: [
      /<(?:img|video)\s(?:[^>"]|"[^"]*")*>/g,
      / (?:src(?==)(?!.* poster=)|poster)="([^"]*)\/-\/(?:files|thumbnails)\/([\w-]+)\/(?:\d+\/)?([^"/?#]+)"/,
    ],
  },
  {
    path: 'src/site/markdown/forms/code-blocks.ts',
    why: 'one choice of a larger pattern, in which the next takes a string without an end as a whole',
    patterns: [/"(?:[^"\\\n]|\\.)*"(?=:)/],
  },
]

test('no pattern on text from outside takes more steps than its length accounts for', async () => {
  const files = execFileSync('git', ['ls-files', 'src'], { encoding: 'utf8' }).split('\n')
  const own = files.filter(path => path.endsWith('.ts') && READING.test(path))
  const patterns = own.flatMap(path => patternsIn({ path, text: readFileSync(path, 'utf8') }))
  assert.ok(patterns.length > 1000)
  const attacks = await attacksOn(patterns)
  const nameOf = (path: string, source: string) => `${path} ${source}`
  const slow = patterns.filter((_, index) => attacks[index] !== undefined)
  assert.deepEqual(
    slow.map(({ path, source }) => nameOf(path, source)).toSorted(),
    BOUNDED.flatMap(({ path, patterns }) => patterns.map(({ source }) => nameOf(path, source))).toSorted(),
  )
})

test('no pattern that a module composes takes more steps than the length of its text accounts for', async () => {
  const worker = new Worker(new URL('./house/composed-patterns.ts', import.meta.url))
  const [patterns]: Pattern[][] = await once(worker, 'message')
  await worker.terminate()
  assert.ok(patterns && patterns.length > 50)
  const attacks = await attacksOn(patterns)
  const slow = patterns.filter((_, index) => attacks[index] !== undefined)
  assert.deepEqual([...new Set(slow.map(({ path }) => path))], [])
})

test('a pattern that tries the same characters again and again is found', async () => {
  const slow = [String.raw`\s*\n\s*`, '<!--.*?-->', '^(?:a|a)*$', String.raw`(?<=^|a\s+)b`]
  const fast = ['[ab]+c?', String.raw`(?<!\s)\s+$`, '^[a-z]{1,255}$', String.raw`\[(?<!\[[^\]]*?\[)[^\]]*\]`]
  const attacks = await attacksOn([...slow, ...fast].map(source => ({ path: '', line: 1, source, flags: 'g' })))
  const seen = attacks.map(attack => attack !== undefined)
  assert.deepEqual(seen, [...slow.map(() => true), ...fast.map(() => false)])
})

test('a search that counts its steps has the matches of JavaScript', () => {
  const cases: readonly [source: string, flags: string, text: string][] = [
    [String.raw`(?<quote>["'])(.*?)\k<quote>|\b\w+\b`, 'g', `say "it's" or 'a "b"' x`],
    [String.raw`(?<=(\d)\s*)[a-z]{2,3}?(?!x)|^#.*$`, 'gim', '1  ABCx\n# Title\n2ab'],
    [String.raw`(?<!\\)(?:a|ab)(?:c|bcd)?(?=\W|$)`, 'g', 'abcd abc \\ab a'],
    [String.raw`[\p{L}--[a-c]]+|\u{1f600}.`, 'gv', 'abcd é😀x'],
    ['(?i:b)+?c*', 'g', 'aBbCcc'],
    [String.raw`\s*,\s*`, 'gy', ' , ,a,'],
  ]
  for (const [source, flags, text] of cases) {
    const { matches, steps } = stepCounter({ source, flags })(text, 100_000)
    assert.deepEqual(matches, text.match(new RegExp(source, flags)), source)
    assert.ok(steps > text.length, source)
  }
})

async function attacksOn(patterns: readonly Pattern[]): Promise<(Attack | undefined)[]> {
  const worker = new Worker(new URL('./house/pattern-worker.ts', import.meta.url), {
    resourceLimits: { stackSizeMb: 256 },
  })
  const attacks: (Attack | undefined)[] = []
  for (const pattern of patterns) {
    worker.postMessage(pattern)
    attacks.push((await once(worker, 'message'))[0])
  }
  await worker.terminate()
  return attacks
}
