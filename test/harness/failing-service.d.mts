export declare function reserveFailingService(): () => void
export declare function failingService(): Promise<string>
