/** See `node-release.mjs`. */
export function refusedRelease(version: string, supported: string): string | undefined
