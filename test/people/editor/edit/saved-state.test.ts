import assert from 'node:assert/strict'
import test from 'node:test'
import { type CommitQuestion, commitState, type SavedState } from '#people/editor/edit/saved-state.ts'
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
const WAITING: SavedState = { state: 'waiting' }
const LIVE: SavedState = { state: 'live' }
const failure = (hash?: string) =>
  ({ code: 'git_too_large', message: 'it is too large', ...(hash && { commit: commitOf(hash) }) }) as const
const before = { ...SOURCE, commit: commitOf(OTHER) }
const CHECKED = { ...before, checkedAt: '2026-01-02T12:01:01Z', goodAt: '2026-01-02T12:01:02Z' }
type Finding = SourceState['findings'][number]
const notImported = (...findings: Finding[]) => {
  return { ...SOURCE, projects: [imported('guide', { imported: false })], errors: findings.length, findings }
}
const CASES: readonly [what: string, question: Partial<CommitQuestion>, state: SavedState][] = [
  ['a published commit is live with its revision', {}, LIVE],
  ['a commit waits while the imported one is unchanged', { source: before }, WAITING],
  ['a commit is live once a check of the branch began and ended since', { source: CHECKED }, LIVE],
  ['a commit waits while a check is under way', { source: { ...before, checkedAt: '2026-01-02T12:01:01Z' } }, WAITING],
  [
    'a commit waits if nothing was ever checked',
    { source: { ...before, checkedAt: null, goodAt: null, commit: null } },
    WAITING,
  ],
  [
    'a commit that cannot be imported is refused',
    { source: { ...SOURCE, failure: failure(COMMIT) } },
    { state: 'refused', message: 'it is too large' },
  ],
  ['a commit waits while the host cannot be asked', { source: { ...SOURCE, failure: failure() } }, WAITING],
  [
    'a commit with an error is refused with its place',
    { source: notImported(error('guide', 'styles/colors.yaml')) },
    { state: 'refused', message: 'styles/colors.yaml:3 is wrong' },
  ],
  [
    'a commit is not published while another file has an error, which is told',
    { source: notImported(error('guide', 'pages/logo.md')) },
    { state: 'refused', message: 'pages/logo.md:3 is wrong' },
  ],
  [
    'of two errors, that of the saved file is told',
    { source: notImported(error('guide', 'pages/logo.md'), error('guide', 'styles/colors.yaml')) },
    { state: 'refused', message: 'styles/colors.yaml:3 is wrong' },
  ],
  [
    'an error of a project that the person does not see is not told',
    {
      source: {
        ...SOURCE,
        projects: [imported('guide'), imported('web', { imported: false })],
        errors: 1,
        findings: [error('web', 'web/a.yaml')],
      },
    },
    LIVE,
  ],
  [
    'an error outside all projects is told only about the imported commit itself',
    {
      source: { ...CHECKED, errors: 1, findings: [error(null, 'hidden/x.yaml')] },
    },
    LIVE,
  ],
  [
    'an error of workspace.yaml is told',
    {
      path: 'workspace.yaml',
      source: { ...SOURCE, projects: [], errors: 1, findings: [error(null, 'workspace.yaml')] },
    },
    { state: 'refused', message: 'workspace.yaml:3 is wrong' },
  ],
  [
    'a commit waits until this process serves its revision',
    { source: { ...SOURCE, projects: [imported('guide', { revision: 2 })] } },
    WAITING,
  ],
  [
    'without automatic publication, a commit waits for review',
    { source: { ...SOURCE, publish: 'approved' } },
    { state: 'review' },
  ],
]
for (const [what, question, state] of CASES)
  test(what, () => assert.deepEqual(commitState({ ...ASKED, ...question }), state))
