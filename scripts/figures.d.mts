export function outdatedDocuments(): [file: string, text: string][];
export function writeFigures(): void;
