import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { ok, type Result } from '#platform/base/result.ts'
import { remove, unpublish } from '#publishing/change-project.ts'
import { copyProject } from '#publishing/copy.ts'
import { history, retract, rollback } from '#publishing/history.ts'
import type { CommandProblem } from '#publishing/project-ref.ts'
import { publish } from '#publishing/publish.ts'
import { projectStates } from '#publishing/status.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { fc, scale } from '../support/random.ts'
import { type TestService, testService } from '../support/service.ts'
import { type TemporaryStore, temporaryStore } from '../support/temporary-store.ts'

type Openness = 'private' | 'public'
type Revision = { number: number; content: string; isRetracted: boolean }
type Draft = { content: string; openness: Openness }
type Project = { draft: Draft; served: (Draft & { number: number }) | undefined; history: Revision[] }
/** The state that the specification expects. `last` survives the deletion of a project. */
type Model = { projects: Map<string, Project>; last: Map<string, number> }
type Real = { temporary: TemporaryStore; service: TestService; token: string; time: number }

type Given = { number?: number | undefined; draft: Draft }

const IDS = ['a', 'b']

function serve(model: Model, id: string, project: Project, draft: Draft): void {
  const number = (model.last.get(id) ?? 0) + 1
  model.last.set(id, number)
  project.history.unshift({ number, content: draft.content, isRetracted: false })
  project.served = { ...draft, number }
}

/** The effect of each command on the model; false if it fails. */
const STEPS = {
  import: (model: Model, id: string, { draft }: Given) => {
    const known = model.projects.get(id)
    if (known) known.draft = draft
    else model.projects.set(id, { draft, served: undefined, history: [] })
    return true
  },
  publish: (model: Model, id: string) => {
    const project = model.projects.get(id)
    if (!project) return false
    const { draft, served } = project
    if (served?.content !== draft.content || served.openness !== draft.openness) serve(model, id, project, draft)
    return true
  },
  unpublish: (model: Model, id: string) => {
    const project = model.projects.get(id)
    if (project) project.served = undefined
    return project !== undefined
  },
  rollback: (model: Model, id: string, { number }: Given) => {
    const project = model.projects.get(id)
    const usable = project?.history.filter(({ isRetracted }) => !isRetracted) ?? []
    const target = usable.find(revision =>
      number === undefined ? revision.content !== project?.served?.content : revision.number === number,
    )
    if (!project || !target) return false
    const { content } = target
    const { openness } = project.served ?? project.draft
    if (project.served?.content !== content) serve(model, id, project, { content, openness })
    return true
  },
  retract: (model: Model, id: string, { number = 1 }: Given) => {
    const project = model.projects.get(id)
    const revision = project?.history.find(each => each.number === number)
    if (!revision || project?.served?.number === number) return false
    revision.isRetracted = true
    return true
  },
  copy: (model: Model, id: string) => {
    const target = IDS.find(other => other !== id) ?? ''
    const [source, over] = [model.projects.get(id), model.projects.get(target)]
    if (!source) return false
    const closed = ({ content, openness }: Draft, to: Draft | undefined) => ({
      content,
      openness: to?.openness === 'private' ? to.openness : openness,
    })
    const made = over ?? { draft: source.draft, served: undefined, history: [] }
    const served = source.served && closed(source.served, over?.served ?? over?.draft)
    made.draft = closed(source.draft, over?.draft)
    if (served) serve(model, target, made, served)
    model.projects.set(target, made)
    return true
  },
  delete: (model: Model, id: string) => model.projects.delete(id),
}

/** The effect of each command on the store. */
async function act(real: Real, [name, id, number, draft]: Step): Promise<Result<unknown, CommandProblem>> {
  const { temporary } = real
  const { store } = temporary
  const place = { workspace: 'acme', project: id }
  real.time += 1000
  const now = new Date(real.time)
  if (name === 'import') return ok(await importIt(temporary, id, draft, now))
  if (name === 'publish') return publish(store, place, {}, now)
  if (name === 'unpublish') return unpublish(store, place, now)
  if (name === 'rollback') return rollback(store, place, number, now)
  if (name === 'retract') return retract(store, place, number ?? 1, now)
  if (name === 'delete') return remove(store, place, now)
  const target = { workspace: 'acme', project: IDS.find(other => other !== id) ?? '' }
  const options = { now: () => now, signal: new AbortController().signal, progress: () => undefined }
  return copyProject(store, place, target, options)
}

/** Imports a folder with this project and without the other. */
async function importIt({ folder, importing }: TemporaryStore, id: string, { content, openness }: Draft, now: Date) {
  for (const each of IDS) await rm(join(folder, 'acme', each), { recursive: true, force: true })
  const project = {
    [`${id}/project.yaml`]: `name: ${content}\nvisibility: ${openness}\n`,
    [`${id}/pages/index.md`]: `${content}\n`,
  }
  return importing('acme', project, now)
}

/** A command. `back` is the number of revisions before the last one that it names. */
type Step = readonly [name: keyof typeof STEPS, id: string, back: number | undefined, draft: Draft]

class Command implements fc.AsyncCommand<Model, Real> {
  readonly step: Step
  constructor(step: Step) {
    this.step = step
  }
  check() {
    return true
  }
  async run(model: Model, real: Real) {
    const [name, id, back, draft] = this.step
    const number = back === undefined ? undefined : (model.last.get(id) ?? 0) - back
    const before = await statesOf(real)
    const isAllowed = STEPS[name](model, id, { number, draft })
    const outcome = await act(real, [name, id, number, draft])
    assert.equal(outcome.ok, isAllowed, String(this))
    if (!outcome.ok) assert.deepEqual(await statesOf(real), before)
    for (const each of IDS) await assertAgrees(model.projects.get(each), each, real)
  }
  toString() {
    return JSON.stringify(this.step)
  }
}

const statesOf = ({ temporary }: Real) => projectStates(temporary.store, {})

async function assertAgrees(project: Project | undefined, id: string, real: Real): Promise<void> {
  const { temporary, service, token } = real
  const place = { workspace: 'acme', project: id }
  const entries = await history(temporary.store, place)
  const served = project?.served
  if (!project) assert.equal(entries.ok, false)
  else {
    assert.ok(entries.ok)
    assert.deepEqual(
      entries.value.map(({ revision, current, retractedAt }) => [revision, current, retractedAt !== undefined]),
      project.history.map(({ number, isRetracted }) => [number, number === served?.number, isRetracted]),
    )
    const record = await findProject(temporary.store.database, 'acme', id)
    const isSame = served?.content === project.draft.content && served.openness === project.draft.openness
    assert.equal(record?.status, served ? (isSame ? 'UpToDate' : 'Changed') : 'Draft')
    assert.deepEqual([record?.published?.name, record?.published?.visibility], [served?.content, served?.openness])
  }
  await service.follow()
  const { status, text } = await service.ask(`/beta/workspace/acme/project/${id}/page/index`, { token })
  assert.equal(status, served ? 200 : 404)
  if (served) assert.equal(JSON.parse(text).content, `${served.content}\n`)
}

const step = fc.tuple(
  fc.oneof(
    { weight: 24, arbitrary: fc.constantFrom('import', 'publish', 'rollback') },
    { weight: 8, arbitrary: fc.constantFrom('unpublish', 'retract', 'copy') },
    { weight: 1, arbitrary: fc.constant('delete') },
  ),
  fc.constantFrom(...IDS),
  fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
  fc.record({ content: fc.constantFrom('one', 'two'), openness: fc.constantFrom('private', 'public') }),
)

test('after any sequence of commands, histories have only grown, no revision number was reused, and the service serves the published revisions', {
  timeout: 300_000,
}, async () => {
  const temporary = await temporaryStore()
  await temporary.importing('acme', { 'c/pages/index.md': '# Always there\n' })
  const service = await testService(temporary)
  const { token } = await temporary.issue('acme', { lifetimeSeconds: 366 * 86_400 })
  const last = new Map<string, number>()
  let time = Date.UTC(2026, 0, 1)
  const steps = fc.commands([step.map(each => new Command(each))], { maxCommands: 80, size: 'max' })
  await fc.assert(
    fc.asyncProperty(steps, async commands => {
      for (const project of IDS) await remove(temporary.store, { workspace: 'acme', project }, new Date())
      const real = { temporary, service, token, time }
      // Numbers continue after those of the previous sequence, because a deleted project keeps them.
      await fc.asyncModelRun(() => ({ model: { projects: new Map(), last }, real }), commands)
      time = real.time
    }),
    { numRuns: scale(15) },
  )
})
