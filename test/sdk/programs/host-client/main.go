// Works with settings and client keys by the host's own Go client, and prints what it has read as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

func must[T any](value T, response *gitlab.Response, err error) T {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	return value
}

func main() {
	if os.Args[1] == "provide" {
		out, _ := json.Marshal(provide(os.Args[2], os.Args[3], os.Args[4]))
		fmt.Println(string(out))
		return
	}
	url, token, project, linked := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	tracking := client.ErrorTracking
	on, off := true, false
	created := must(tracking.CreateErrorTrackingSettings(project, &gitlab.CreateErrorTrackingSettingsOptions{Active: &on, Integrated: &on}))
	key := must(tracking.CreateClientKey(project))
	listed := must(tracking.ListClientKeys(project, &gitlab.ListClientKeysOptions{}))
	if _, err := tracking.DeleteClientKey(project, key.ID); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	left := must(tracking.ListClientKeys(project, &gitlab.ListClientKeysOptions{}))
	disabled := must(tracking.UpdateErrorTrackingSettings(project, &gitlab.UpdateErrorTrackingSettingsOptions{Active: &off}))
	read := must(tracking.GetErrorTrackingSettings(project))
	link := must(tracking.GetErrorTrackingSettings(linked))
	out, _ := json.Marshal(map[string]any{
		"created": created, "key": key, "listed": listed, "left": left, "disabled": disabled, "read": read, "link": link,
	})
	fmt.Println(string(out))
}
