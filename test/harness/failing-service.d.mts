export declare function failingService(): string
export declare function buildFailingService(): Promise<() => void>
