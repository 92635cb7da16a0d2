import { ValidationError } from '../core/errors.ts'

/** Bodies of this API have a few levels; recursive code overflows the stack at some thousands. */
const depthMax = 32

/** @throws {ValidationError} naming the field of the body that is nested too deeply. */
export function verifyDepth(body: unknown): void {
  for (const [name, value] of Object.entries(Object(body))) {
    if (!isDeeper(value, depthMax - 1)) continue
    throw new ValidationError(`${name.slice(0, 100)} must be nested at most ${depthMax} levels deep`)
  }
}

/** Goes level by level and not by recursion, so that it works for any body. */
function isDeeper(value: unknown, levels: number): boolean {
  let level = [value].filter(isNested)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= levels) return true
    level = level.flatMap((one) => Object.values(one)).filter(isNested)
  }
  return false
}

export const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null
