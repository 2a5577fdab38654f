#include "surface/mcp/mcp_channel.h"

void ho_mcp_channel_begin(ho_mcp_channel *channel)
{
  *channel = (ho_mcp_channel){.status = 200};
  ho_buf_init(&channel->out, 0);
}

void ho_mcp_channel_end(ho_mcp_channel *channel)
{
  ho_buf_free(&channel->out);
}
