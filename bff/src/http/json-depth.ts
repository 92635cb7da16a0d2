import { ValidationError } from '../core/errors.ts'

/** No body of this API is nested deeper than a few levels; what walks through JSON by recursion fails at some thousands. */
const depthMax = 32

/** @throws {ValidationError} naming the field of the body that is nested too deeply. */
export function verifyDepth(body: unknown): void {
  for (const [name, value] of Object.entries(Object(body))) {
    if (!isDeeper(value, depthMax - 1)) continue
    throw new ValidationError(`${name.slice(0, 100)} must be nested at most ${depthMax} levels deep`)
  }
}

/** Level by level and without recursion, so that it answers for any text that was parsed. */
function isDeeper(value: unknown, levels: number): boolean {
  let level = [value].filter(isNested)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= levels) return true
    level = level.flatMap((one) => Object.values(one)).filter(isNested)
  }
  return false
}

export const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null
