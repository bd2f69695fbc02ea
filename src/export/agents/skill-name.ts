import { createHash } from 'node:crypto'
import type { ProjectRef } from '../../brand/ids.ts'

/**
 * The name of the skill of a project, and of its folder: letters, digits and single hyphens, 64 at most (Agent Skills). A
 * longer one is cut, and told from others that begin like it by a digest.
 */
export function skillName({ workspace, project }: ProjectRef): string {
  const whole = workspace === project ? project : `${workspace}-${project}`
  const name = plain(whole)
  if (name.length <= MAX_NAME && name === whole) return name
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, DIGEST)
  return `${plain(name.slice(0, MAX_NAME - DIGEST - 1))}-${digest}`
}

const MAX_NAME = 64
const DIGEST = 8

function plain(id: string): string {
  return id.replace(/-{2,}/g, '-').replace(/^-|-$/g, '')
}
