/** See `equivalents.mjs`. */
export function faultsOfEquivalents(root: string): string[]
