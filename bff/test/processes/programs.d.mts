/** See `programs.mjs`. */
export function bundlePrograms(sources: Readonly<Record<string, string>>, folder: string): Promise<void>
export function bundleDevnet(): Promise<void>
