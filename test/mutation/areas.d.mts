/** See `areas.mjs`. */
export function faultsOfAreas(root: string): string[]
