import assert from 'node:assert/strict'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { openEdits } from '#publishing/git/edit/edits.ts'
import type { Changes } from '#publishing/git/edit/save.ts'
import { editClone } from '#test/support/edit-clone.ts'
import { startGitServer } from '#test/support/git-server.ts'
import { until } from '#test/support/until.ts'

const pageOf = (at: number) => `guide/pages/p${at}.md`
const PAGES = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [pageOf(at), `# ${at}\n`]))
const ENDED = { code: 'edit_refused', message: 'the right has ended' } as const

test('twenty people who save at once have a commit each, in one or two pushes', async () => {
  const { repository, save, pushes } = await edited()
  const saved = await Promise.all(Object.keys(PAGES).map((_, at) => save(at)))
  const commits = saved.map(each => each.ok && each.value.outcome === 'saved' && each.value.commit)
  const log = (await repository.git(['log', '--format=%H %an', 'main'])).split('\n').slice(0, 20)
  assert.deepEqual(new Set(log), new Set(commits.map((commit, at) => `${commit} Person ${at}`)))
  assert.ok(pushes() <= 2, `${pushes()} pushes`)
})

test('of the saves of one person, one takes part in each push, so that they hold up nobody else', async () => {
  const { repository, save } = await edited()
  const author = { name: 'Eve', email: 'eve@acme.example' }
  const order: string[] = []
  const saves = [save(0), save(1, { author }), save(2, { author }), save(3, { author }), save(4)]
  await Promise.all(saves.map((saved, at) => saved.then(() => order.push(at === 0 || at === 4 ? 'other' : 'Eve'))))
  assert.deepEqual(order.lastIndexOf('other') < order.lastIndexOf('Eve'), true)
  const log = (await repository.git(['log', '--format=%an', 'main'])).split('\n').slice(0, 5)
  assert.deepEqual(log.slice(0, 1), ['Eve'])
  assert.deepEqual(log.toSorted(), ['Eve', 'Eve', 'Eve', 'Person 0', 'Person 4'])
})

test('a save that conflicts, is refused or whose right ends harms no other that waits', async () => {
  const { repository, save, pushes } = await edited()
  const asked: number[] = []
  const refusal = async () => (asked.push(asked.length) === 2 ? ENDED : undefined)
  const saves = [
    save(0),
    save(1),
    save(2, { changes: [{ path: pageOf(2), before: Buffer.from('# Other\n'), after: Buffer.from('# Mine\n') }] }),
    save(3, { changes: [{ path: '.git/config', before: undefined, after: Buffer.from('x') }] }),
    save(4, { refusal: async () => ENDED }),
    save(5, { refusal }),
    save(6),
  ]
  const outcomes = (await Promise.all(saves)).map(each => (each.ok ? each.value.outcome : each.problem.code))
  const expected = ['saved', 'saved', 'conflict', 'edit_refused', 'edit_refused', 'edit_refused', 'saved']
  assert.deepEqual(outcomes, expected)
  assert.ok(pushes() <= 3, `${pushes()} pushes`)
  const changed = await repository.git(['log', '--format=%an', 'main', '--not', 'main~3'])
  assert.deepEqual(new Set(changed.split('\n')), new Set(['Person 0', 'Person 1', 'Person 6']))
})

test('the id of a save of somebody else makes no save of a conflict', async () => {
  const { save } = await edited()
  assert.ok((await save(0, { author: { name: 'Ann', email: 'ann@acme.example' } })).ok)
  const changes = [{ path: pageOf(0), before: Buffer.from('# Other\n'), after: Buffer.from('# Mine\n') }]
  const own = await save(1, { changes, saveId: 'save-0' })
  assert.ok(own.ok && own.value.outcome === 'conflict')
})

test('the right is asked again immediately before each push, also after somebody else pushed', async () => {
  const { repository, save } = await edited()
  let asked = 0
  const refusal = async () => {
    // Somebody else pushes after each commit, until the right ends.
    await repository
      .git(['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Other'])
      .then(commit => repository.git(['update-ref', 'refs/heads/main', commit]))
    return ++asked > 5 ? ENDED : undefined
  }
  // While the first is refused, the others wait, and go together. A refused one stays so, even if its person gets the right.
  const first = save(2, { refusal: async () => ENDED })
  const others = [save(0, { refusal }), save(1, { refusal: async () => (asked < 3 ? ENDED : undefined) })]
  const failure = { ok: false, problem: ENDED }
  assert.deepEqual(await Promise.all([first, ...others]), [failure, failure, failure])
  assert.ok((await save(3)).ok)
  assert.equal(await repository.git(['log', '--format=%an', '--author=Person', 'main']), 'Person 3')
})

test('a person whose right has ended does not see what others wrote', async () => {
  const { save } = await edited()
  const changes = [{ path: pageOf(2), before: Buffer.from('# Other\n'), after: Buffer.from('# Mine\n') }]
  assert.deepEqual(await save(2, { changes, refusal: async () => ENDED }), { ok: false, problem: ENDED })
})

test('the settings of a guide are judged as they will be committed, also if only their text is changed', async () => {
  const { repository, save } = await edited({ 'guide/project.yaml': 'name: Guide\n' })
  const judged: unknown[] = []
  const refusal: Changes['refusal'] = async settings => {
    judged.push(...settings)
    return undefined
  }
  const path = 'guide/project.yaml'
  await repository.commit({ ...PAGES, [path]: 'name: Guide\nlang: de\n' })
  const change = { path, before: Buffer.from('name: Guide\n'), after: Buffer.from('visibility: public\nname: Guide\n') }
  assert.ok((await save(0, { changes: [change], refusal })).ok)
  const merged = { path, before: 'name: Guide\nlang: de\n', after: 'visibility: public\nname: Guide\nlang: de\n' }
  assert.deepEqual(judged, [merged, merged])
})

test('if the host refuses one of the saves that are pushed together, the others are saved', async () => {
  const { repository, save } = await edited()
  await repository.git(['config', 'core.hooksPath', 'hooks'])
  await mkdir(join(repository.folder, 'hooks'), { recursive: true })
  const hook = join(repository.folder, 'hooks/pre-receive')
  const script =
    '#!/bin/sh\nread old new ref\n! git diff "$old" "$new" | grep -q "^+.*3!" || { echo "no 3" >&2; exit 1; }\n'
  await writeFile(hook, script)
  await chmod(hook, 0o755)
  const saved = await Promise.all([0, 1, 2, 3, 4, 5].map(at => save(at)))
  const outcomes = saved.map(each => (each.ok ? each.value.outcome : each.problem.code))
  assert.deepEqual(outcomes, ['saved', 'saved', 'saved', 'git_push_refused', 'saved', 'saved'])
})

for (const [name, part] of [
  ['says what the branch has', 'upload-pack'],
  ['takes a push', 'receive-pack'],
] as const)
  test(`a host that never ${name} ends everything that waits at once, and nothing is saved twice`, async () => {
    const { repository, save, edits, own, clone } = await edited({}, HANG_MS)
    own.hang(part)
    const first = save(0)
    await until(() => own.requests.some(({ path }) => path.includes(part)))
    const waiting = [
      first,
      save(1),
      save(2),
      edits.undo({ ...editOf(3), commit: 'a'.repeat(40), isOwn: () => true, subject: () => '' }),
    ]
    const codes = (await Promise.all(waiting)).map(each => !each.ok && each.problem.code)
    for (const code of codes) assert.match(`${code}`, /^git_(?:too_slow|unreachable)$/)
    own.hang(undefined)
    clone.hostMs = 60_000
    const again = await Promise.all([save(0), save(1)])
    assert.ok(again.every(each => each.ok && each.value.outcome === 'saved' && each.value.commit))
    assert.equal(await repository.git(['rev-list', '--count', 'main']), '3')
  })

/** Longer than git takes for a step on a busy machine. */
const HANG_MS = 10_000

async function edited(more: Readonly<Record<string, string>> = {}, hostMs = 20_000) {
  const own = await startGitServer()
  const repository = await own.make('brand')
  await repository.commit({ ...PAGES, ...more })
  const clone = await editClone(repository.url, { hostMs })
  const edits = openEdits(clone)
  const pushes = () => own.requests.filter(({ path }) => path.endsWith('/git-receive-pack')).length
  const save = (at: number, edit: Partial<Changes> = {}) => edits.save({ ...editOf(at), ...edit })
  return { own, repository, edits, save, pushes, clone }
}

function editOf(at: number): Changes {
  return {
    changes: [{ path: pageOf(at), before: Buffer.from(`# ${at}\n`), after: Buffer.from(`# ${at}!\n`) }],
    author: { name: `Person ${at}`, email: 'person@acme.example' },
    settings: 'guide/project.yaml',
    subject: 'Change',
    saveId: `save-${at}`,
  }
}
