export function quotingDocuments(): string[];
export function outdatedDocuments(): [file: string, text: string][];
export function writeFigures(): void;
