import type { ProjectNames } from './project-names.ts';
import type { SourceAccess } from './access/source-access.ts';
import type { SourceDialect } from './source-dialect.ts';

export interface IssueOfProject {
  readonly access: SourceAccess;
  readonly dialect: SourceDialect;
  readonly names: ProjectNames;
  readonly project: string;
  readonly issueId: string;
  readonly signal: AbortSignal;
}
