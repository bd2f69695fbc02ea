import { safeName } from '../../brand/portable-paths.ts'

/**
 * A brand name as a file name for every system: without characters that any of them forbids, and cut to 80 characters.
 */
export function fileName(name: string): string {
  const kept = name
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, '')
    .replace(/[\\/:*?"<>|]+/g, '-')
  const cut = [...kept]
    .slice(0, MAX_NAME)
    .join('')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  if (cut === '') return 'Brand'
  return safeName(cut)
}

const MAX_NAME = 80
