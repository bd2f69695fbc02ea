import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

/** Loads axe with this and each later page. */
export async function addAxe(page: Page): Promise<void> {
  const script = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  await page.addInitScript(script)
  await page.evaluate(script)
}

/** The problems that axe finds on a page, by all of its rules or only some. */
export function axeProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  const only = rules ? `runOnly: ${JSON.stringify(rules)},` : ''
  return page.evaluate(`axe.run(document, { ${only} resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`)
}

/** The rules whose result depends on the colour scheme. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block']
