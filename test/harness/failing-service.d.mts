export const failingService: string
export function buildFailingService(): Promise<void>
