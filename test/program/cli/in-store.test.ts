import assert from 'node:assert/strict'
import test from 'node:test'
import { folderWith, temporaryFolder } from '../../support/temporary.ts'
import { housestyle } from './housestyle.ts'

/** Replaces times and hashes, which differ in each run. */
const steady = (text: string) =>
  text
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d \((?:just now|\d+ seconds ago)\) */g, '<time>  ')
    .replace(/not published +/g, 'not published  ')
    .replace(/\b[0-9a-f]{12}\b/g, '<hash>')

/** A working folder with `acme/guide`, which has a published revision and a newer draft, and `acme/plan`. */
async function workingFolder(): Promise<string> {
  const cwd = await temporaryFolder()
  const guide = { 'guide/project.yaml': 'name: Guide\nvisibility: public\n', 'guide/pages/index.md': '# One\n' }
  await folderWith({ ...guide, 'plan/pages/index.md': '# Plan\n' }, 'acme', cwd)
  await housestyle(['import', 'acme'], { cwd })
  await housestyle(['publish', 'acme/guide', '--note', 'The first'], { cwd })
  await folderWith({ 'guide/pages/index.md': '# Two\n' }, 'acme', cwd)
  await housestyle(['import', 'acme'], { cwd })
  return cwd
}

type TokenClaims = readonly [command: string, stdout: string, stderr: string]
const PUBLISHED = 'published <time>'
/** A rollback leaves a draft that differs. */
const BACK =
  'the draft differs from that content: the next publication brings the change back, unless you import another draft first\n'

const LIFE: readonly TokenClaims[] = [
  [
    'status',
    `acme/guide  Changed  revision 1  ${PUBLISHED}  Guide\nacme/plan   Draft    -           not published  plan\n`,
    '',
  ],
  ['publish acme/guide', 'acme/guide: published revision 2 (snapshot <hash>)\n', ''],
  ['publish acme/guide acme/guide', 'acme/guide: revision 2 is already published (snapshot <hash>)\n', ''],
  ['rollback acme/guide', 'acme/guide: serves revision 3 (snapshot <hash>); its draft is unchanged\n', BACK],
  [
    'rollback acme/guide 1',
    'acme/guide: already serves that content as revision 3 (snapshot <hash>); its draft is unchanged\n',
    BACK,
  ],
  ['retract acme/guide 2', 'acme/guide: revision 2 is retracted; it stays in the history\n', ''],
  [
    'history acme/guide',
    'revision 3  <time>  <hash>  served     Rolled back to 1\n' +
      'revision 2  <time>  <hash>  retracted\n' +
      'revision 1  <time>  <hash>             The first\n',
    '',
  ],
  ['history acme/plan', '', 'acme/plan has not been published yet\n'],
  ['copy acme/guide acme/spring', 'acme/spring: serves the content of acme/guide as revision 1\n', ''],
  [
    'copy acme/plan acme/spring',
    'acme/spring: its draft is a copy of acme/plan; nothing was published, because acme/plan is not\n',
    '',
  ],
  ['publish acme/plan', 'acme/plan: published revision 1 (snapshot <hash>)\n', ''],
  [
    'copy acme/plan acme/spring',
    'acme/spring: serves the content of acme/plan as revision 2\n' +
      'acme/spring: was public and is now private, like acme/plan\n',
    '',
  ],
  ['unpublish acme/spring', 'acme/spring: no longer served; its draft stays\n', ''],
  ['unpublish acme/spring', 'acme/spring: was not published\n', ''],
  ['rollback acme/spring', 'acme/spring: serves revision 3 (snapshot <hash>); its draft is unchanged\n', ''],
  ['delete acme/spring --yes', 'acme/spring: deleted\n', ''],
  ['status acme/guide', `acme/guide  Changed  revision 3  ${PUBLISHED}  Guide\n`, ''],
]

const FIX = 'import its folder first, or see `housestyle status`'
const NO_PROJECT = `there is no project "acme/gone": ${FIX}`
const SIMILAR = 'there is no project "acme/giude" (did you mean "acme/guide"?)'
const REFUSED: readonly [command: string, error: string, message: string][] = [
  ...[
    'publish PROJECT',
    'publish acme/plan PROJECT',
    'unpublish PROJECT',
    'rollback PROJECT',
    'copy PROJECT acme/spring',
    'delete PROJECT --yes',
    'retract PROJECT 1',
    'history PROJECT',
    'diff PROJECT',
    'export PROJECT --to json --out styles.json',
    'files rotate PROJECT',
    'share PROJECT',
    'share list PROJECT',
    'status PROJECT',
  ].flatMap((command): [command: string, error: string, message: string][] => [
    [command.replace('PROJECT', 'acme/gone'), 'project_unknown', NO_PROJECT],
    [command.replace('PROJECT', 'acme/giude'), 'project_unknown', SIMILAR],
  ]),
  ['status gone', 'workspace_unknown', `there is no workspace "gone": ${FIX}`],
  ['status ACME/guide', 'project_unknown', 'there is no project "ACME/guide" (did you mean "acme/guide"?)'],
  ['status amce/guide', 'project_unknown', 'there is no project "amce/guide" (did you mean "acme/guide"?)'],
  ['status amce', 'workspace_unknown', 'there is no workspace "amce" (did you mean "acme"?)'],
  ['share list amce', 'workspace_unknown', 'there is no workspace "amce" (did you mean "acme"?)'],
  ['token issue amce', 'not_found', 'there is no workspace "amce" (did you mean "acme"?)'],
  ['client create amce', 'not_found', 'there is no workspace "amce" (did you mean "acme"?)'],
  ['token issue acme --project giude', 'not_found', SIMILAR],
  [
    'rollback acme/guide',
    'revision_unknown',
    'acme/guide has no earlier revision to roll back to: see `housestyle history acme/guide`',
  ],
  ['rollback acme/guide 7', 'revision_unknown', 'acme/guide has no revision 7: see `housestyle history acme/guide`'],
  ['retract acme/guide 7', 'revision_unknown', 'acme/guide has no revision 7: see `housestyle history acme/guide`'],
  ['diff acme/guide 7', 'revision_unknown', 'acme/guide has no revision 7: see `housestyle history acme/guide`'],
  [
    'retract acme/guide 1',
    'revision_current',
    'revision 1 of acme/guide is the published one: publish, roll back or unpublish first',
  ],
  ['copy acme/guide acme/guide', 'project_same', 'a project cannot be copied over itself: name another target'],
  ['delete acme/guide', 'usage', 'delete cannot be undone: give --yes, or run it on a terminal'],
  ['publish', 'usage', 'name the projects to publish as workspace/project, or give --all'],
  ['publish acme/guide --all', 'usage', 'name the projects to publish as workspace/project, or give --all'],
  [
    'rollback acme/guide first',
    'usage',
    '"first" is not a revision: write its number, as `housestyle history` shows it',
  ],
  ['diff acme/guide live', 'usage', '"live" is not a revision: write its number, draft or published'],
  ['unpublish guide', 'usage', '"guide" is not a project: write workspace/project, for example acme/guidelines'],
]

test('each command prints the result of a step in the life of a project', async () => {
  const cwd = await workingFolder()
  for (const [command, ...said] of LIFE) {
    const { status, stdout, stderr } = await housestyle(command.split(' '), { cwd })
    assert.deepEqual(
      [status, steady(stdout), stderr.replace(/^(?:to .*:|next: .*|\{.*\})\n/gm, '')],
      [0, ...said],
      command,
    )
  }
})

/** One for all refused commands, which change nothing. */
const unchanged = workingFolder()

for (const [command, error, message] of REFUSED)
  test(`${command} fails with ${error}, as text and as JSON, and changes nothing`, async () => {
    const cwd = await unchanged
    const status = error === 'usage' ? 2 : 1
    const before = await housestyle(['status', '--json'], { cwd })
    const told = await housestyle(command.split(' '), { cwd })
    const place = /^(?:project_unknown|workspace_unknown|not_found)$/.test(error)
      ? `; this store is ${cwd}/.housestyle`
      : ''
    const said = message + place
    assert.deepEqual([told.status, told.stdout, told.stderr], [status, '', `housestyle: ${said}\n`])
    const json = await housestyle([...command.split(' '), '--json'], { cwd })
    assert.deepEqual([json.status, json.stdout, JSON.parse(json.stderr)], [status, '', { error, message: said }])
    assert.deepEqual(await housestyle(['status', '--json'], { cwd }), before)
  })

test('the JSON of each step in the life of a project has exactly the keys that scripts rely on', async () => {
  const cwd = await workingFolder()
  const json = async (command: string) => {
    const { status, stdout, stderr } = await housestyle([...command.split(' '), '--json'], { cwd })
    assert.deepEqual([status, stderr.replace(/^\{"level".*\n/gm, '')], [0, ''])
    return JSON.parse(stdout)
  }
  const publication = ['workspace', 'project', 'revision', 'snapshot', 'publishedAt', 'changed']
  for (const command of ['publish acme/guide', 'rollback acme/guide', 'rollback acme/guide'])
    for (const each of await json(command)) assert.deepEqual(Object.keys(each), publication)
  const [newest, second] = await json('history acme/guide')
  assert.deepEqual(newest, { ...newest, revision: 4, note: 'Rolled back to 2', current: true })
  assert.deepEqual(Object.keys(newest), ['revision', 'snapshot', 'publishedAt', 'note', 'who', 'current'])
  assert.equal(second.current, false)
  assert.deepEqual(await json('retract acme/guide 3'), { workspace: 'acme', project: 'guide', done: true })
  const [, retracted] = await json('history acme/guide')
  assert.deepEqual(Object.keys(retracted), [...Object.keys(newest), 'retractedAt'])
  const spring = { workspace: 'other', project: 'spring', done: true }
  assert.deepEqual(await json('copy acme/guide other/spring'), spring)
  assert.deepEqual(await json('unpublish other/spring'), spring)
  assert.deepEqual(await json('delete other/spring --yes'), spring)
})
