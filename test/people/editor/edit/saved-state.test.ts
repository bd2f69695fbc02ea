import assert from 'node:assert/strict'
import test from 'node:test'
import { type CommitQuestion, commitState } from '#people/editor/edit/saved-state.ts'
import type { SourceState } from '#publishing/git/pull/source-state.ts'

const [COMMIT, OTHER] = ['a'.repeat(40), 'b'.repeat(40)]
const commitOf = (hash: string) => ({ hash, author: 'Ada', subject: 'A change' })
const imported = (project: string, changes = {}) => ({
  project,
  imported: true,
  changed: true,
  revision: 1,
  ...changes,
})
const error = (project: string | null, path: string) =>
  ({ severity: 'error', rule: 'value-invalid', project, path, line: 3, message: 'is wrong' }) as const
const SOURCE: SourceState = {
  url: 'https://github.com/acme/brand.git',
  ref: null,
  path: null,
  workspace: 'acme',
  publish: 'auto',
  state: 'good',
  checkedAt: '2026-01-02T12:00:00.000Z',
  goodAt: '2026-01-02T12:00:01.000Z',
  commit: commitOf(COMMIT),
  projects: [imported('guide')],
  errors: 0,
  warnings: 0,
  findings: [],
  failure: null,
}
const ASKED: CommitQuestion = {
  commit: COMMIT,
  path: 'styles/colors.yaml',
  askedAt: new Date('2026-01-02T12:01:00Z'),
  source: SOURCE,
  project: 'guide',
  published: { revision: 1 },
}
const failure = (hash?: string) =>
  ({ code: 'git_too_large', message: 'it is too large', ...(hash && { commit: commitOf(hash) }) }) as const
const of = (changes: Partial<SourceState>) => ({ source: { ...SOURCE, ...changes } })
const BEFORE = { commit: commitOf(OTHER) }
const CHECKED = { ...BEFORE, checkedAt: '2026-01-02T12:01:01Z', goodAt: '2026-01-02T12:01:02Z' }
const [COLORS, LOGO] = [error('guide', 'styles/colors.yaml'), error('guide', 'pages/logo.md')]
const notImported = (...findings: SourceState['findings']) =>
  of({ projects: [imported('guide', { imported: false })], errors: findings.length, findings })
const ofWeb = { projects: [imported('guide'), imported('web', { imported: false })] }
const SETTINGS = error(null, 'workspace.yaml')

/** What a question is about, how it differs from `ASKED`, and the state, with the message of a refusal. */
const CASES: readonly [what: string, question: Partial<CommitQuestion>, state: string][] = [
  ['a published commit is live with its revision', {}, 'live'],
  ['a commit waits while the imported one is unchanged', of(BEFORE), 'waiting'],
  ['a commit is live once a check of the branch began and ended since', of(CHECKED), 'live'],
  ['a commit waits while a check is under way', of({ ...BEFORE, checkedAt: '2026-01-02T12:01:01Z' }), 'waiting'],
  ['a commit waits if nothing was ever checked', of({ checkedAt: null, goodAt: null, commit: null }), 'waiting'],
  ['a commit that cannot be imported is refused', of({ failure: failure(COMMIT) }), 'refused: it is too large'],
  ['a commit waits while the host cannot be asked', of({ failure: failure() }), 'waiting'],
  ['a commit with an error is refused with its place', notImported(COLORS), 'refused: styles/colors.yaml:3 is wrong'],
  [
    'a commit is not published while another file has an error, which is told',
    notImported(LOGO),
    'refused: pages/logo.md:3 is wrong',
  ],
  [
    'of two errors, that of the saved file is told',
    notImported(LOGO, COLORS),
    'refused: styles/colors.yaml:3 is wrong',
  ],
  [
    'an error of a project that the person does not see is not told',
    of({ ...ofWeb, errors: 1, findings: [error('web', 'web/a.yaml')] }),
    'live',
  ],
  [
    'an error outside all projects is told only about the imported commit itself',
    of({ ...CHECKED, errors: 1, findings: [error(null, 'hidden/x.yaml')] }),
    'live',
  ],
  [
    'an error of workspace.yaml is told',
    { path: 'workspace.yaml', ...of({ projects: [], errors: 1, findings: [SETTINGS] }) },
    'refused: workspace.yaml:3 is wrong',
  ],
  [
    'a commit waits until this process serves its revision',
    of({ projects: [imported('guide', { revision: 2 })] }),
    'waiting',
  ],
  ['without automatic publication, a commit waits for review', of({ publish: 'approved' }), 'review'],
]
for (const [what, question, expected] of CASES)
  test(what, () => {
    const { state, ...more } = commitState({ ...ASKED, ...question })
    assert.equal([state, ...Object.values(more)].join(': '), expected)
  })
