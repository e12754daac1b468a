/** Types of postgres.mjs, for its test. */
export interface Connection {
  host: string;
  user: string;
  database: string;
}
export interface Pool {
  query(text: string, values?: readonly unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  end(): Promise<void>;
}
export function startPostgres(environment?: Readonly<Record<string, string | undefined>>): Promise<{
  connection: Connection;
  version: string;
  /** Everything it wrote. */
  directory: string;
  stop(): Promise<void>;
}>;
export function openPool(connection: Connection, most: number): Promise<Pool>;
