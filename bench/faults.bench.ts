import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from './run.ts'

/** How the built package stands what must not harm it: the figures of all scenarios in bench/faults, one after the other. */
export async function measure(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const file of globSync('*.ts', { cwd: join(import.meta.dirname, 'faults') }).sort()) {
    const scenario: { measure: () => Promise<Figure[]> } = await import(`./faults/${file}`)
    figures.push(...(await scenario.measure()))
  }
  return figures
}
