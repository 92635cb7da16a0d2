/** See `areas.mjs`. */
export function faultsOfAreas(): string[]
