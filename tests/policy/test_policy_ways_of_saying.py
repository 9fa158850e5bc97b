"""One thing said in many ways, in both languages: what is read of it, and what is left unread."""

import pytest

from tests.policy.test_policy_rich import read

ENGLISH = [
    # names in plain capitals, symbols, paths
    ("Open the Activity tab.", ["open Activity"]),
    ("Click Save.", ["open Save"]),
    ("Head to Plugins → Add New in the admin sidebar.", ["open Plugins", "open Add New"]),
    ("Hit the trash can next to the key.", ["open trash can of 'key'"]),
    ("Click the pencil, then **Rename**.", ["open pencil", "open Rename"]),
    # switches
    ("Flip the **Dark mode** switch.", ["tick Dark mode"]),
    ("Turn the **Public** toggle off.", ["untick Public"]),
    ("Make sure the **Show in menu** box isn't ticked.", ["untick Show in menu"]),
    ("Set the **Alerts** switch to **On**.", ["tick Alerts"]),
    # names and values
    ('Call the pipeline "nightly".', ["fill = nightly"]),
    ("Give it a memorable name and press **Continue**.", ["fill 'name'", "open Continue"]),
    ("Type a name, for example **web-01**, in the **Name** box.", ["fill Name = web-01"]),
    ("In **Name**, enter **my-group**.", ["fill Name = my-group"]),
    ("Change **Name** from `old` to `new`.", ["fill Name = new"]),
    ("Enter `80` for the port and `HTTP` for the protocol.", ["fill = 80", "fill = HTTP"]),
    ("For example, enter `my-cluster`.", []),
    ("Clear the **Search** field and type `abc`.", ["fill = abc"]),
    # conditions, also behind and in the middle
    ("Click **Advanced** if you want to set limits.", ["open Advanced??"]),
    ("Click **Next**; if a warning is shown, click **Ignore**.", ["open Next", "open Ignore??"]),
    ("Select **Merge**, or **Queue** if the build is running.", ["open Merge"]),
    ("Should the import fail, click **Retry**.", ["open Retry??"]),
    ("Using SSO? Click **Connect**.", ["open Connect??"]),
    ("All set? Click **Publish**.", ["open Publish"]),
    ("When you are finished, select **Save changes**.", ["open Save changes"]),
    # files
    ("Choose **Import** and then pick the export you made.", ["open Import", "upload 'export'"]),
    ("Drop your files here.", ["upload 'files here'"]),
    # not in the console, not understood
    ("Open a terminal and log in to the server via SSH.", ["external"]),
    ("Paste the token into your CI configuration.", ["external"]),
    ("Press and hold Shift, then click the last row.",
     ["unclear 'and hold Shift'", "unclear 'last row'"]),
    ("Drag the corner of the panel to resize it.", ["unclear 'drag corner of panel'"]),
    ("Attach the policy to the role.", ["unclear 'attach policy'"]),
    # as guides of real consoles say it
    ("List in this view contains all the users with Coach roles.", []),
    ("Click to open the selector under **User type** to see what there is.", ["open User type"]),
    ("Click to open the desired group in the **Groups** sub-tab.", ["follow 'desired group'"]),
    ("Activate option **Make admin**.", ["tick Make admin"]),
    ("Under **Rights** deactivate the option **Can edit**.", ["untick Can edit under Rights"]),
    ("Click the **Public** switch, and then click the switch again.",
     ["open Public", "untick Public"]),
    ("Add demographic data (optional).", []),
    ("Enter a **Description** (optional).", ["fill Description?"]),
    ("Enter a **Name** and a **Description** (optional).", ["fill Name", "fill Description"]),
    ("Enter the variant name and an optional payload.",
     ["fill 'variant name'", "fill 'payload'?"]),
    ("Use checkboxes to select all the learners in the list, or the search field for some.",
     ["pick 'learners'"]),
    ("Click **Confirm** and return to the main page.", ["open Confirm"]),
    ("Change the lesson title in the window.", ["fill 'lesson title'"]),
    ("In the drawer that opens, edit any of the details.", ["form"]),
    ("Edit the customer's details.", ["form"]),
    ('Click on the <Icon of={Dots} alt="three-dots" /> icon at the top of the first section.',
     ["open three-dots"]),
    ("In the **Products** section, click the ![three dots](dots.svg) icon.",
     ["open three dots under Products"]),
    ('Click the <img alt="three dots" src="d.svg"> icon next to the customer.',
     ["open three dots of 'customer'"]),
    ("Click ![A picture of the whole page](page.png) **Save**.", ["open Save"]),
    ("Choose Edit from the dropdown.", ["open Edit"]),
    ("Find the variant you want to edit in the **Variants** section.",
     ["pick 'variant' under Variants"]),
    ("In the Targeting Tab, click **Add**.", ["open Targeting", "open Add"]),
    ("Once you have filled it in, you can click **Create**.", ["open Create"]),
    ("You can then complete it by clicking on the **Copy** button.", ["open Copy"]),
    ("When you hover over a page in the list, click **More**.",
     ["follow 'page'", "open More of 'page'"]),
    ("Activate the option *Make super admin*.", ["tick Make super admin"]),
    ("Find the user in the list and click on it.", ["pick 'user'", "follow 'user' of 'user'"]),
    ("Go to the flag and the environment containing the strategy, and click **Edit**.",
     ["follow 'flag'", "pick 'environment'", "open Edit of 'environment'"]),
    ("Name your collection and click **save**.", ["fill 'collection'", "open save"]),
    ("In the **Handle** field, enter a dash (`-`) separated string.", ["fill Handle"]),
]  # fmt: skip
CHINESE = [
    ("点一下右边的小铅笔。", ["open 小铅笔"]),
    ("点「新建」，名称填 `a-1`，类型选「标准」。",
     ["open 新建", "fill 名称 = a-1", "choose = 标准 in 类型"]),
    ("把「免打扰」关掉。", ["untick 免打扰"]),
    ("去掉“自动登录”前面的勾。", ["untick 自动登录"]),
    ("打开“消息通知”右侧的开关。", ["tick 消息通知"]),
    ("停用“访客模式”。", ["untick 访客模式"]),
    ("单击“操作”列的“管理”。", ["open 管理"]),
    ("进入后台 - 文章 - 写文章。", ["open 后台", "open 文章", "open 写文章"]),
    ("在输入框中输入“DELETE”，单击“确定”。", ["fill = DELETE", "open 确定"]),
    ("将系统盘大小设置为 50 GB。", ["fill = 50"]),
    ("按照页面提示完成配置。", ["form"]),
    ("按下回车键确认。", ["press 'Enter'"]),
    ("按“Delete”键删除。", ["press 'Delete'"]),
    ("当列表为空时，点击「新增」。", ["open 新增??"]),
    ("选择“自定义”时，勾选“高级”。", ["tick 高级??"]),
    ("单击“下一步”，如果提示“余额不足”，请单击“充值”。", ["open 下一步", "open 充值??"]),
    ("点“浏览”，选择要导入的表格。", ["open 浏览", "upload '导入的表格'"]),
    ("将字段从左侧拖到右侧画布。", ["drag '字段' in 右侧画布"]),
    ("在终端中执行 `docker ps` 查看容器。", ["external"]),
    ("把不需要的权限去掉。", ["unclear '把不需要的权限去掉'"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "intents"), [*ENGLISH, *CHINESE])
def test_it_is_read(text: str, intents: list[str]) -> None:
    assert read(text) == intents
