import { createHash } from 'node:crypto'
import type { ProjectRef } from '#brand/ids.ts'

/** The name of a project's skill: at most 64 characters (Agent Skills), unique through a digest if it is cut. */
export function skillName({ workspace, project }: ProjectRef): string {
  const whole = workspace === project ? project : `${workspace}-${project}`
  const name = plain(whole)
  if (name.length <= MAX_NAME && name === whole) return name
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, DIGEST_LENGTH)
  return `${plain(name.slice(0, MAX_NAME - DIGEST_LENGTH - 1))}-${digest}`
}

const MAX_NAME = 64
const DIGEST_LENGTH = 8

function plain(id: string): string {
  return id.replace(/-{2,}/g, '-').replace(/^-|-$/g, '')
}
