import type { TypeStyle } from '../../brand/type-style.ts'
import { isBraced } from './token-omissions.ts'

/**
 * The family of a type style and its fallbacks, except any that would be parsed as references; empty without a family.
 */
export function tokenFamilies({ family, fallback = [] }: TypeStyle): string[] {
  if (family === undefined || isBraced(family)) return []
  return [family, ...fallback.filter(each => !isBraced(each))]
}

/** Letter spacing in px; undefined without an authored tracking or size. */
export function letterSpacingOf({ tracking, size }: TypeStyle): number | undefined {
  if (tracking === 0) return 0
  return tracking === undefined || size === undefined ? undefined : roundTo6(tracking * size)
}

/** Rounds to six digits: 45 × -0.015 is -0.6749999999999999. */
export function roundTo6(value: number): number {
  return Number(value.toFixed(6)) + 0
}
