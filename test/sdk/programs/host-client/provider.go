package main

import (
	"errors"
	"fmt"
	"os"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

// What a plan, an apply, a second plan and a destroy read.
type provided struct {
	User      *gitlab.User                  `json:"user"`
	Version   *gitlab.Version               `json:"version"`
	Token     *gitlab.PersonalAccessToken   `json:"token"`
	ByPath    *gitlab.Project               `json:"by_path"`
	ByID      *gitlab.Project               `json:"by_id"`
	Fresh     bool                          `json:"fresh_not_found"`
	Applied   *gitlab.ErrorTrackingSettings `json:"applied"`
	Again     *gitlab.ErrorTrackingSettings `json:"again"`
	Created   []int64                       `json:"created"`
	Paged     []int64                       `json:"paged"`
	Total     int64                         `json:"total"`
	Pages     int                           `json:"pages"`
	Gone      bool                          `json:"gone_not_found"`
	Unknown   bool                          `json:"unknown_not_found"`
	Refused   bool                          `json:"wrong_token_refused"`
	Destroyed *gitlab.ErrorTrackingSettings `json:"destroyed"`
}

func isNotFound(err error) bool { return errors.Is(err, gitlab.ErrNotFound) }

func done(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// Makes the calls of the provider's resources gitlab_project_error_tracking_settings and
// gitlab_project_error_tracking_client_key, in their order: with a bearer token, and settings by PATCH.
func provide(url, token, project string) provided {
	client, err := gitlab.NewOAuthClient(token, gitlab.WithBaseURL(url), gitlab.WithCustomRetryMax(0))
	done(err)
	tracking := client.ErrorTracking
	var seen provided

	// The early check of the token.
	seen.User = must(client.Users.CurrentUser())
	seen.Version = must(client.Version.GetVersion())
	seen.Token = must(client.PersonalAccessTokens.GetSinglePersonalAccessToken())
	seen.ByPath = must(client.Projects.GetProject(project, nil))
	seen.ByID = must(client.Projects.GetProject(seen.ByPath.ID, nil))

	// A project without settings: the provider says so by this answer.
	_, _, err = tracking.GetErrorTrackingSettings(project)
	seen.Fresh = isNotFound(err)
	on, off := true, false
	must(tracking.CreateErrorTrackingSettings(project, &gitlab.CreateErrorTrackingSettingsOptions{Active: &on, Integrated: &on}))

	// Apply, then a plan that must find nothing to change.
	seen.Applied = must(tracking.EnableDisableErrorTracking(project, &gitlab.EnableDisableErrorTrackingOptions{Active: &on, Integrated: &on}))
	seen.Again = must(tracking.GetErrorTrackingSettings(project))

	for range 3 {
		seen.Created = append(seen.Created, must(tracking.CreateClientKey(project)).ID)
	}
	options := &gitlab.ListClientKeysOptions{ListOptions: gitlab.ListOptions{PerPage: 2}}
	for {
		keys, response, err := tracking.ListClientKeys(project, options)
		done(err)
		for _, key := range keys {
			seen.Paged = append(seen.Paged, key.ID)
		}
		seen.Pages++
		seen.Total = response.TotalItems
		if response.NextPage == 0 {
			break
		}
		options.Page = response.NextPage
	}
	for _, id := range seen.Created {
		_, err = tracking.DeleteClientKey(project, id)
		done(err)
	}
	_, err = tracking.DeleteClientKey(project, seen.Created[0])
	seen.Gone = isNotFound(err)

	_, _, err = tracking.GetErrorTrackingSettings("group/of-nobody")
	seen.Unknown = isNotFound(err)
	wrong, err := gitlab.NewOAuthClient("glpat-of-nobody", gitlab.WithBaseURL(url), gitlab.WithCustomRetryMax(0))
	done(err)
	_, _, err = wrong.Users.CurrentUser()
	seen.Refused = gitlab.HasStatusCode(err, 401)

	seen.Destroyed = must(tracking.EnableDisableErrorTracking(project, &gitlab.EnableDisableErrorTrackingOptions{Active: &off}))
	return seen
}
