export function sectionOf(text: string, sources?: Record<string, string>): string
export function storedSection(text: string): string
export function readPage(): string
