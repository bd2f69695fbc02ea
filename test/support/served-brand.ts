import { type TestService, testService } from './service.ts'
import type { Contents } from './temporary.ts'
import { type TemporaryStore, temporaryStore } from './temporary-store.ts'

/** Opens a store with the workspace `acme`. Publishes all its projects, which are public if they have no settings. */
export async function publishedBrand(contents: Contents): Promise<TemporaryStore> {
  const temporary = await temporaryStore()
  const projects = new Set(
    Object.keys(contents).flatMap(path => (path.includes('/') ? [path.split('/', 1).join()] : [])),
  )
  const settings = Array.from(projects, project => [`${project}/project.yaml`, 'visibility: public\n'])
  await temporary.importing('acme', { ...Object.fromEntries(settings), ...contents })
  for (const project of projects) await temporary.publish(`acme/${project}`)
  return temporary
}

/** Serves the workspace of `publishedBrand`. */
export async function servedBrand(contents: Contents): Promise<TestService & { temporary: TemporaryStore }> {
  const temporary = await publishedBrand(contents)
  return { temporary, ...(await testService(temporary)) }
}
