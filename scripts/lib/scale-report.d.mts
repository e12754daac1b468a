export function scaleReport(report: unknown): string;
