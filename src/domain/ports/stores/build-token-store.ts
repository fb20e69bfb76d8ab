/** Projects of tokens with the scope `ci`, which are for some projects only. */
export interface BuildTokenStore {
  /** Adds projects to those that a token is for. Throws `project_not_found`; nothing is added then. */
  addProjectsOfToken(tokenId: number, projectIds: readonly number[]): Promise<void>;
  /** Ids of the tokens that are for a project, in ascending order; revoked ones too. */
  tokensOfProject(projectId: number): Promise<number[]>;
  /** Ids in ascending order; a deleted project is left out. */
  projectsOfToken(tokenId: number): Promise<number[]>;
}
