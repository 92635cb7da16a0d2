/**
 * Builds what is missing or older than its sources.
 * @throws {Error} with the build's output.
 */
export declare function buildWhatIsOld(say: (text: string) => void): void
