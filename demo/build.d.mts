/** Builds what is missing or older than its sources. @throws {Error} with what the build printed. */
export declare function buildWhatIsOld(say: (text: string) => void): void
