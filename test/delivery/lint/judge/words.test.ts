import assert from 'node:assert/strict'
import test from 'node:test'
import type { BrandWord } from '#brand/lint-rules.ts'
import { judged } from './judged.ts'

/** The avoided words of a text as written, with their offsets. */
function avoided(text: string, words: readonly BrandWord[]): [number | undefined, string | undefined][] {
  const { findings } = judged([{ kind: 'words', text, at: column => ({ column }) }], { words })
  return findings.map(({ column, found }) => [column, found])
}

test('words are only avoided in the language of the guide, or where a tag names no language', () => {
  const words = [{ write: 'sign in', not: ['login'] }]
  const foundIn = (lang: string, language: string) =>
    judged([{ kind: 'words', text: 'login', lang }], { words, language }).findings.length
  for (const [lang, language] of [
    ['en', 'en'],
    ['en-GB', 'en-US'],
    ['EN', 'en'],
    ['', 'de'],
    ['zh-Hant', 'zh'],
    ['%lang%', 'en'],
    ['{{ site.lang }}', 'en'],
    ['<?= $lang ?>', 'en'],
    ['english', 'en'],
    ['x-none', 'en'],
    ['und', 'en'],
  ] as const)
    assert.equal(foundIn(lang, language), 1, lang)
  for (const [lang, language] of [
    ['de', 'en'],
    ['en', 'de-AT'],
    ['zxx', 'en'],
  ] as const)
    assert.equal(foundIn(lang, language), 0, lang)
})

test('a finding has the place, the text around it, the reason and the page', () => {
  const words = [{ write: 'email', not: ['e-mail'], reason: 'It is shorter.', page: 'voice/words' }]
  const text = `${'Write to us, or call. '.repeat(4)}Send an\n E-Mail to "Åsa" today. ${'More text follows. '.repeat(4)}`
  const at = (offset: number) => ({ line: 2, column: offset - 80 })
  const uses = [{ kind: 'words', text, at, line: 1 } as const, { kind: 'words', text: 'e‑mail', at } as const]
  assert.deepEqual(judged(uses, { words }).findings, [
    {
      severity: 'warning',
      rule: 'word-avoid',
      path: 'a.css',
      line: 2,
      column: 17,
      text: 'rite to us, or call. Send an E-Mail to "Åsa" today. More text follows. More tex',
      found: 'E-Mail',
      write: 'email',
      guide: 'voice/words',
      message: 'the brand avoids "E-Mail": write "email" (It is shorter.)',
      count: 2,
      value: 'e-mail',
    },
  ])
})

test('the text around a finding has at most 80 characters, and no halves of characters', () => {
  const text = `${'😀'.repeat(99)} e-mail ${'😀'.repeat(99)}`
  const uses = [{ kind: 'words', text, at: () => ({}) } as const]
  const { findings } = judged(uses, { words: [{ write: 'email', not: ['e-mail'] }] })
  assert.deepEqual(findings[0]?.text, `${'😀'.repeat(14)} e-mail ${'😀'.repeat(21)}`)
})

const email = [{ write: 'email', not: ['e-mail', 'electronic mail'] }]
const client = [{ write: 'customer', not: ['client', 'can'] }]
const github = [{ write: 'GitHub', not: ['Github', 'github'] }]
const address = [{ write: 'email address', not: ['email', 'mail address of people'] }]

const CASES: Readonly<Record<string, readonly [string, readonly BrandWord[], [number, string][]]>> = {
  'whole words': ['e-mails, pre-e-mail, e-mail2 and e-mail.', email, [[13, 'e-mail']]],
  'any case': ['Electronic MAIL', email, [[0, 'Electronic MAIL']]],
  'any white space': ['electronic\u00a0\n mail', email, [[0, 'electronic mail']]],
  'no white space inside a word': ['e - mail', email, []],
  'letters of all scripts, digits and underscores are letters': [
    'éclient clienté client\u0301 _client_ client2',
    client,
    [],
  ],
  possessives: ["a client's and clients’", client, [[2, 'client']]],
  elisions: ['l’client', client, [[2, 'client']]],
  'no contractions': ["can't can’t", client, []],
  contractions: ['can’t', [{ write: 'cannot', not: ["can't"] }], [[0, 'can’t']]],
  'case, if the words differ only in case': [
    'GitHub GITHUB github Github',
    github,
    [
      [14, 'github'],
      [21, 'Github'],
    ],
  ],
  'nothing inside the word to write': ['an Email Address and an email', address, [[24, 'email']]],
  'the longest phrase': [
    'a mail address of people',
    [...address, { write: 'x', not: ['mail'] }],
    [[2, 'mail address of people']],
  ],
  'a shorter phrase if the longest is not there': [
    'mail address',
    [...address, { write: 'x', not: ['mail'] }],
    [[0, 'mail']],
  ],
  'a phrase after the beginning of another': ['a b a b c', [{ write: 'x', not: ['a b c'] }], [[4, 'a b c']]],
  'decomposed letters': ['a cafe\u0301', [{ write: 'bar', not: ['caf\u00e9'] }], [[2, 'cafe\u0301']]],
  'composed letters': ['a caf\u00e9 x', [{ write: 'bar', not: ['cafe\u0301'] }], [[2, 'caf\u00e9']]],
  'full case folding': ['STRASSE straße', [{ write: 'Weg', not: ['Straße'] }], [[0, 'STRASSE']]],
  'final sigmas': ['ΟΔΟΣ', [{ write: 'x', not: ['οδος'] }], [[0, 'ΟΔΟΣ']]],
  'soft hyphens': ['a cli\u00adent', client, [[2, 'cli\u00adent']]],
  'no addresses without a scheme': ['client.com client.example/a/client, the client.', client, [[40, 'client']]],
  'no addresses': ['client@client.com https://a.com/client (www.client.com) client', client, [[56, 'client']]],
  'no paths': ['See /client, (/client/new) or a/client', client, [[32, 'client']]],
  'an address that is avoided': ['www.Old.com', [{ write: 'new.com', not: ['www.old.com'] }], [[0, 'www.Old.com']]],
  signs: ['C++ and C', [{ write: 'C', not: ['C++'] }], [[0, 'C++']]],
  'scripts without spaces': ['我们使用電郵聯絡', [{ write: '邮件', not: ['電郵'] }], [[4, '電郵']]],
  'nothing if the brand writes the same': ['email', [{ write: 'email', not: ['email'] }], []],
  'nothing for an empty word': ['email', [{ write: 'email', not: ['', ' '] }], []],
  'the first entry of two': [
    'lift',
    [
      { write: 'a', not: ['lift'] },
      { write: 'b', not: ['lift'] },
    ],
    [[0, 'lift']],
  ],
}
for (const [title, [text, words, expected]] of Object.entries(CASES))
  test(`an avoided word: ${title}`, () => {
    assert.deepEqual(avoided(text, words), expected)
  })

test('a thousand words are looked for in a long text', () => {
  const words = Array.from({ length: 1000 }, (_, index) => ({
    write: `w${index}`,
    not: [`word ${index} of many`, `w-${index}`],
  }))
  for (const text of [
    'some word 7 of few, w-8 '.repeat(10_000),
    'word '.repeat(50_000),
    ' '.repeat(250_000),
    'w'.repeat(250_000),
    "'".repeat(250_000),
    'a.'.repeat(125_000),
  ])
    assert.ok(avoided(text, words).length < 2)
})
