/** See `node-of-release.mjs`. */
export const majorReleases: readonly number[]
export function nodeOfRelease(major: number): { program: string; headers: string | undefined }
