import type { Page } from 'playwright-core'
import { openPage } from './browser.ts'
import { freePort } from './free-port.ts'
import { type PeopleIssuer, signInOnPage, startPeopleIssuer } from './people-issuer.ts'
import { allowIssuer, SECRET } from './people-service.ts'
import { runningService } from './service.ts'
import { type TemporaryStore, temporaryStore } from './temporary-store.ts'

/** Guides that Ada manages, each with a draft that differs. */
export type ManagedGuides = {
  url: string
  temporary: TemporaryStore
  issuer: PeopleIssuer
  /** Opens an address in a new browser, and signs Ada in on the way. */
  signedInAt: (path: string, options?: Parameters<typeof openPage>[0]) => Promise<Page>
}

const ADA = { sub: 'ada', password: 'sesame', name: 'Ada Byron', email: 'ada@example.com', emailVerified: true }
const picture = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path fill="${color}" d="M0 0h9v9z"/></svg>\n`

/** Starts a service with the project `guide` of each workspace, in its language. */
export async function managedGuides(languages: Readonly<Record<string, string>>): Promise<ManagedGuides> {
  const issuer = await startPeopleIssuer({
    people: [{ ...ADA, groups: ['editors'] }],
    client: { id: 'guides', secret: SECRET },
  })
  const temporary = await temporaryStore()
  for (const [workspace, lang] of Object.entries(languages)) {
    await publishGuide(temporary, workspace, lang)
    const rules = { domains: [], groups: [{ group: 'editors', manage: true as const }] }
    await allowIssuer(temporary, issuer.url, { workspace, rules })
  }
  const { url } = await runningService(temporary, { port: String(await freePort()) })
  await issuer.setRedirects([`${url}/-/signed-in`], [`${url}/-/signout`])
  const signedInAt: ManagedGuides['signedInAt'] = async (path, options = {}) => {
    const [workspace] = path.split('/').filter(Boolean)
    const { page } = await openPage(options)
    await page.goto(`${url}/-/signin?${new URLSearchParams({ workspace: `${workspace}`, return: path })}`)
    await signInOnPage(page, ADA)
    return page
  }
  return { url, temporary, issuer, signedInAt }
}

async function publishGuide(temporary: TemporaryStore, workspace: string, lang: string): Promise<void> {
  const files = {
    'guide/project.yaml': `name: Guide\nlang: ${lang}\n`,
    'guide/styles/colors.yaml': '- { name: Signal, hex: "#c2410c" }\n',
    'guide/files/mark.svg': picture('red'),
    'guide/files/files.yaml': 'mark.svg: { until: 2026-01-01 }\n',
  }
  await temporary.publishing(`${workspace}/guide`, { ...files, 'guide/pages/index.md': '# Hello\n' })
  await temporary.publishing(`${workspace}/guide`, { 'guide/pages/index.md': '# Welcome\n' })
  await temporary.importing(workspace, {
    'guide/pages/index.md': '# Welcome back\n\n[Nowhere](gone.md)\n',
    'guide/files/mark.svg': picture('green'),
  })
}
